@main struct Juliet { static func main() {} }
