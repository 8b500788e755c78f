public import JulietAPI

// Ways into an account beside recovery codes. Where a service has no passkeys, or no providers, it refuses them with
// `not-found`; `FetchService` tells.

/// Asks for what it takes to make a passkey: what `ASAuthorizationPlatformPublicKeyCredentialProvider` is handed. Refused with
/// `too-many`, with twenty passkeys already.
public struct FetchPasskeyOptions: V2Request {
    /// A challenge, valid once, for five minutes.
    public typealias Response = V2.PasskeyCreation

    /// Asks for options.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// The options.
    public var path: String { "/v2/passkeys/options" }
    typealias Content = V2.NoMembers
}

/// Registers a passkey. Refused with `passkey-refused` (`reason`), `name-refused` or `too-many`.
public struct RegisterPasskey: V2Request {
    /// The passkey.
    public typealias Response = V2.RegisteredPasskey
    /// The authenticator's answer.
    public var credential: V2.NewCredential
    /// Its name: 1 to 40 characters; nil: Passkey.
    public var name: String?

    /// Takes an answer.
    public init(credential: V2.NewCredential, name: String? = nil) {
        self.credential = credential
        self.name = name
    }

    /// The passkey's.
    public var identifierSource: IdentifierSource { .json(["passkey", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The passkeys.
    public var path: String { "/v2/passkeys" }
    var content: V2.NewPasskey? { V2.NewPasskey(credential: credential, name: name) }
}

/// Asks for the player's passkeys.
public struct ListPasskeys: V2Request {
    /// Newest first.
    public typealias Response = V2.PasskeyList

    /// Asks for all.
    public init() {}

    /// The passkeys.
    public var path: String { "/v2/passkeys" }
    typealias Content = V2.NoMembers
}

/// Forgets a passkey. Refused with `not-found`.
public struct DeletePasskey: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Which.
    public var passkey: V2.Passkey.ID

    /// Names a passkey.
    public init(passkey: V2.Passkey.ID) {
        self.passkey = passkey
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The passkey.
    public var path: String { "/v2/passkeys/\(passkey)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}

/// Asks for what it takes to sign in with a passkey. Needs no token.
public struct FetchSignInOptions: V2Request {
    /// A challenge, valid once, for five minutes.
    public typealias Response = V2.PasskeyRequest

    /// Asks for options.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// The options.
    public var path: String { "/v2/sessions/options" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    typealias Content = V2.NoMembers
}

/// Signs this device in by what a passkey has signed. Refused with `unauthorized`.
public struct SignInWithPasskey: V2Request {
    /// The player, with their credentials.
    public typealias Response = V2.OpenedSession
    /// The authenticator's answer.
    public var credential: V2.SignedCredential

    /// Takes an answer.
    public init(credential: V2.SignedCredential) {
        self.credential = credential
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The sessions.
    public var path: String { "/v2/sessions" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    var content: V2.SignIn? { V2.SignIn(.passkey(credential)) }
}

/// Asks for a nonce, for which a provider signs an identity token. Needs no token.
public struct MakeNonce: V2Request {
    /// A nonce, valid once, for ten minutes.
    public typealias Response = V2.Nonce

    /// Asks for a nonce.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// The nonces.
    public var path: String { "/v2/nonces" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    typealias Content = V2.NoMembers
}

/// Signs this device in by an identity token. Refused with `identity-refused` (`reason`), or `identity-unknown`: then create a
/// player with it, or link it.
public struct SignInWithIdentity: V2Request {
    /// The player, with their credentials.
    public typealias Response = V2.OpenedSession
    /// The provider's token and its nonce.
    public var identity: V2.IdentityProof

    /// Takes a token.
    public init(identity: V2.IdentityProof) {
        self.identity = identity
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The sessions.
    public var path: String { "/v2/sessions" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    var content: V2.SignIn? { V2.SignIn(.identity(identity)) }
}

/// Links an identity to the player. Refused with `identity-refused` (`reason`), `identity-taken` or `identity-linked`.
///
/// A repeat with the same `Idempotency-Key` gets the first answer; the queue gives each request a key.
public struct LinkIdentity: V2Request {
    /// The identity.
    public typealias Response = V2.LinkedIdentity
    /// The provider's token and its nonce.
    public var identity: V2.IdentityProof

    /// Takes a token.
    public init(identity: V2.IdentityProof) {
        self.identity = identity
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The identities.
    public var path: String { "/v2/identities" }
    var content: V2.IdentityProof? { identity }
}

/// Asks for the player's identities.
public struct ListIdentities: V2Request {
    /// Newest first.
    public typealias Response = V2.IdentityList

    /// Asks for all.
    public init() {}

    /// The identities.
    public var path: String { "/v2/identities" }
    typealias Content = V2.NoMembers
}

/// Unlinks an identity. Refused with `not-found`.
public struct UnlinkIdentity: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// What `ListIdentities` calls the provider.
    public var provider: String

    /// Names a provider.
    public init(provider: String) {
        self.provider = provider
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The identity.
    public var path: String { "/v2/identities/\(provider)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}

/// Signs all other devices out: their tokens end.
public struct RevokeOtherSessions: V2Request {
    /// Nothing but success.
    public typealias Response = Void

    /// Asks for it.
    public init() {}

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The sessions.
    public var path: String { "/v2/sessions" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}
