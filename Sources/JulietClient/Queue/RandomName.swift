/// 128 random bits as text: names that nobody gives twice.
enum RandomName {
    /// How many characters a name has.
    static let length = 32

    /// 32 digits of base 16, lower case.
    static func make() -> String {
        half() + half()
    }

    private static func half() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: length / 2 - digits.count) + digits
    }
}
