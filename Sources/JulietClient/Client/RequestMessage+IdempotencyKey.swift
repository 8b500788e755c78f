#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestMessage {
    /// The header that names an operation.
    public static let idempotencyKeyHeader = "Idempotency-Key"

    /// The operation's name, if the request carries one.
    public var idempotencyKey: String? {
        headers.value(of: Self.idempotencyKeyHeader)
    }

    /// The same request under a name, unless it carries one already.
    ///
    /// - Parameter key: 1 to 255 visible ASCII characters; nil makes a new name, for all but GET and HEAD.
    public func named(_ key: String?) -> RequestMessage {
        guard idempotencyKey == nil, key != nil || !method.isSafe else { return self }
        var message = self
        message.headers.append(HeaderField(Self.idempotencyKeyHeader, key ?? UUID().uuidString))
        return message
    }
}
