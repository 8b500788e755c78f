#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value of `errno`, for example `EMFILE`.
    public let code: Int32
    /// The call, for example `epoll_ctl`.
    public let call: String

    /// Makes an error from its parts.
    public init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// The error of the call that has just failed on this thread.
    public static func last(_ call: StaticString) -> SystemError {
        SystemError(code: errno, call: "\(call)")
    }

    /// For example "bind: Address already in use (errno 98)".
    public var description: String {
        "\(call): \(String(cString: strerror(code))) (errno \(code))"
    }
}
