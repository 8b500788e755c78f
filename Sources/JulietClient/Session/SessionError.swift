/// Why a call of a session failed. A refusal of the service is a `ClientError`.
public struct SessionError: Error, Sendable {
    /// The kind of error. There may be more kinds in later versions: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name, stable.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody is signed in: `signOut()` or `forget()` first. Nothing was sent.
        public static let signedIn = Code(rawValue: "signedIn")
        /// Nobody is signed in. Nothing was sent.
        public static let signedOut = Code(rawValue: "signedOut")
        /// The store could not be written, so a request that works only once was not sent; `underlying` says why.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// The service has done it, but the store could not be written: the session exists only in memory until `save()`
        /// succeeds; `underlying` says why.
        public static let notSaved = Code(rawValue: "notSaved")
        /// The store's content is not a session. It was not changed: call `Session.open` with another name, or delete
        /// it from the store.
        public static let damaged = Code(rawValue: "damaged")
        /// The credentials to renew the session belong to another player. The session is unchanged.
        public static let otherPlayer = Code(rawValue: "otherPlayer")
        /// The service no longer knows the recovery code, and an earlier attempt with it had no answer: that one
        /// may have used it up. Sign in another way, or on a device that is signed in, and have a new code made.
        public static let codeUsedUp = Code(rawValue: "codeUsedUp")
        /// There is no recovery code on this device.
        public static let noRecoveryCode = Code(rawValue: "noRecoveryCode")
        /// Something else is being done with the session. Nothing was sent.
        public static let busy = Code(rawValue: "busy")
    }

    /// The kind of error.
    public var code: Code
    /// The underlying error.
    public var underlying: (any Error)?

    /// Describes an error.
    public init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }
}

extension SessionError: CustomStringConvertible {
    /// The code: it can be logged.
    public var description: String { code.rawValue }
}
