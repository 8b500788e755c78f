/// Something a test relies on that is not so, in words.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
