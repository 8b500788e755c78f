/// Why a session could not do what was asked of it. What the service refuses is a `ClientError`.
public struct SessionError: Error, Sendable {
    /// What kind of error it is. More may come: a `switch` needs a `default`.
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
        /// The store could not be written, so nothing was sent that works once alone; `underlying` says why.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// The service has done it, and the store could not be written: the session goes on in memory alone until `save()`
        /// succeeds; `underlying` says why.
        public static let notSaved = Code(rawValue: "notSaved")
        /// What the store holds is no session. It was not touched: `Session.open` again with another name, or have the
        /// store forget it.
        public static let damaged = Code(rawValue: "damaged")
        /// What was to renew the session is another player's. The session is as it was.
        public static let otherPlayer = Code(rawValue: "otherPlayer")
        /// The service does not know the recovery code any more, and an earlier attempt with it had no answer: that one
        /// may have used it up. Sign in another way, or on a device that is signed in, and have a new code made.
        public static let codeUsedUp = Code(rawValue: "codeUsedUp")
        /// There is no recovery code on this device.
        public static let noRecoveryCode = Code(rawValue: "noRecoveryCode")
        /// Something else is being done with the session. Nothing was sent.
        public static let busy = Code(rawValue: "busy")
    }

    /// What kind of error it is.
    public var code: Code
    /// The error this one was made from.
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
