public import JulietAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Players of `/v2` and the devices they are signed in on. All but `CreatePlayer` and `SignIn` need a token.

/// Creates a player, who starts with some energy. Each time it is sent it creates another one.
///
/// Refused with `name-refused`, `claim-refused` or `claimed`; with an identity also with `identity-refused` (`reason`) or
/// `identity-taken`: then sign in with it.
public struct CreatePlayer: V2Request {
    /// The player, with their credentials.
    public typealias Response = V2.PlayerCredentials
    /// The player's name; nil: the service makes one.
    public var name: String?
    /// The vendorID of a player of the published app, who becomes this one, once; nil: nobody does.
    public var claim: String?
    /// Who the player is to a provider, which signs them in from then on; nil: nobody vouches for them.
    public var identity: V2.IdentityProof?

    /// Says who is to be created.
    public init(name: String? = nil, claim: String? = nil, identity: V2.IdentityProof? = nil) {
        self.name = name
        self.claim = claim
        self.identity = identity
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The players.
    public var path: String { "/v2/players" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    var content: V2.NewPlayer? { V2.NewPlayer(name: name, claim: claim, identity: identity) }
}

/// Signs this device in. The code is used up: a new one comes with the answer. Refused with `unauthorized`.
public struct SignIn: V2Request {
    /// The player, with their credentials.
    public typealias Response = V2.PlayerCredentials
    /// As people type it; `V2.RecoveryCode` tells whether it can be one.
    public var recoveryCode: String

    /// Takes a code.
    public init(recoveryCode: String) {
        self.recoveryCode = recoveryCode
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The sessions.
    public var path: String { "/v2/sessions" }
    /// It needs no token.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    var content: V2.SignIn? { V2.SignIn(recoveryCode: recoveryCode) }
}

/// Asks which devices are signed in.
public struct ListSessions: V2Request {
    /// The sessions.
    public typealias Response = V2.SessionList

    /// Asks for all.
    public init() {}

    /// The sessions.
    public var path: String { "/v2/sessions" }
    typealias Content = V2.NoMembers
}

/// Signs a device out: its token ends. Refused with `not-found` when it is signed out already.
public struct RevokeSession: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Which.
    public var session: V2.Session.ID

    /// Names a session; this one by default.
    public init(session: V2.Session.ID = .current) {
        self.session = session
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The session.
    public var path: String { "/v2/sessions/\(session)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}

/// Makes a new recovery code; the old one stops working.
public struct RenewRecoveryCode: V2Request {
    /// The new one.
    public typealias Response = V2.RenewedRecoveryCode

    /// Asks for a new one.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// The player's code.
    public var path: String { "/v2/players/me/recovery-code" }
    typealias Content = V2.NoMembers
}

/// Asks who the player is.
public struct FetchPlayer: V2Request {
    /// The player.
    public typealias Response = V2.Player

    /// Asks for the player.
    public init() {}

    /// The player.
    public var path: String { "/v2/players/me" }
    typealias Content = V2.NoMembers
}

/// Changes the player's name. Refused with `name-refused`.
public struct RenamePlayer: V2Request {
    /// The player.
    public typealias Response = V2.Player
    /// The new name.
    public var name: String

    /// Takes a name.
    public init(name: String) {
        self.name = name
    }

    /// PATCH.
    public var method: HTTPMethod { .patch }
    /// The player.
    public var path: String { "/v2/players/me" }
    var content: V2.Rename? { V2.Rename(name: name) }
}

/// Takes the energy that has come back. Refused with `refill-early` (`retryAfter`) or `refill-full`; `not-found` where energy
/// does not come back.
///
/// A repeat with the same `Idempotency-Key` gets the first answer; the queue gives each request a key.
public struct TakeRefill: V2Request {
    /// The balance, and what comes next.
    public typealias Response = V2.RefilledEnergy

    /// Takes what is due.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// What has come back.
    public var path: String { "/v2/players/me/refill" }
    typealias Content = V2.NoMembers
}

/// Merges another player into this one; the other no longer exists.
///
/// Refused with `unauthorized` when the other is nobody, `merge-self`, `merge-unfinished`, `too-many` or `energy-full`. A
/// repeat with the same `Idempotency-Key` gets the first answer; the queue gives each request a key.
public struct MergePlayer: V2Request {
    /// The player who asks.
    public typealias Response = V2.Player
    private let proof: V2.MergePlayer.Proof

    /// Names the other by the token of one of their sessions.
    public init(token: String) { proof = .token(token) }

    /// Names the other by their recovery code, as people type it.
    public init(recoveryCode: String) { proof = .way(.recoveryCode(recoveryCode)) }

    /// Names the other by what a passkey of theirs has signed, for a challenge that signs in.
    public init(passkey: V2.SignedCredential) { proof = .way(.passkey(passkey)) }

    /// Names the other by what a provider has signed.
    public init(identity: V2.IdentityProof) { proof = .way(.identity(identity)) }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The merge.
    public var path: String { "/v2/players/me/merge" }
    var content: V2.MergePlayer? { V2.MergePlayer(proof) }
}

/// Asks what the service offers, and its prices. Needs no token.
public struct FetchService: V2Request {
    /// The offer.
    public typealias Response = V2.Service

    /// Asks for all.
    public init() {}

    /// The service.
    public var path: String { "/v2/service" }
    /// Anybody may ask.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
    typealias Content = V2.NoMembers
}

/// Asks what became of the player's energy.
public struct FetchEnergyHistory: V2Request {
    /// Newest first.
    public typealias Response = V2.EnergyHistory
    /// `next` of the page before; nil: the first page.
    public var before: String?
    /// How many entries; nil: 50.
    public var limit: Int?

    /// Asks for a page.
    public init(before: String? = nil, limit: Int? = nil) {
        self.before = before
        self.limit = limit
    }

    /// The entries.
    public var path: String { "/v2/players/me/energy" }
    /// Which of them.
    public var query: RequestQuery { ["before": before, "limit": limit] }
    typealias Content = V2.NoMembers
}

/// Asks for everything that is kept about the player.
public struct ExportPlayer: V2Request {
    /// One JSON object, as it came.
    public typealias Response = [UInt8]

    /// Asks for everything.
    public init() {}

    /// The player's records.
    public var path: String { "/v2/players/me/export" }
    typealias Content = V2.NoMembers

    /// Takes the content as it is, once it is known to be a player's.
    public static func decode(_ response: HTTPResponse) throws -> [UInt8] {
        _ = try JSONDecoder().decode(Known.self, from: Data(response.body))
        return response.body
    }

    private struct Known: Decodable {
        let id: String
        let energy: Int
    }
}

/// Deletes the player, for good.
public struct DeletePlayer: V2Request {
    /// Nothing but success.
    public typealias Response = Void

    /// Asks for the end.
    public init() {}

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The player.
    public var path: String { "/v2/players/me" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}
