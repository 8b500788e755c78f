import Crypto

/// A player in a log line: ten digits of a hash of the account id, which tell players apart and name nobody.
struct UserDigest: CustomStringConvertible {
    /// Ten hexadecimal digits.
    let description: String

    init(_ userID: String) {
        description = SHA256.hash(data: Array(userID.utf8)).prefix(5).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}
