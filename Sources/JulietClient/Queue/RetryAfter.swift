/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
    /// How long an answer asks to wait.
    ///
    /// A date is taken relative to the answer's own `Date`: the device's clock may be wrong.
    ///
    /// - Parameter now: Seconds since 1970, for an answer without `Date`.
    /// - Returns: Nil: there is no such field, or it is neither whole seconds nor a date.
    static func delay(in response: HTTPResponse, now: Int64) -> Duration? {
        guard let value = response[header: "Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(Int64(value) ?? Int64(Int32.max))
        }
        let sent = response[header: "Date"].flatMap { HTTPDate.secondsSince1970($0, now: now) } ?? now
        return HTTPDate.secondsSince1970(value, now: sent).map { .seconds(max(0, $0 - sent)) }
    }
}
