/// The token of a session's requests, and the observer of its refusals.
actor SessionToken {
    private(set) var token: String?
    /// Whose it is; nil: nobody is signed in.
    private(set) var player: String?
    private var isRefused = false
    private var changed: (@Sendable (_ token: String, _ isRefused: Bool) async -> Void)?

    func set(_ kept: KeptSession) {
        token = kept.token
        player = kept.player?.id.rawValue
        isRefused = kept.isRefused
    }

    /// The token for a request.
    ///
    /// - Parameter owner: Whose request it is; nil: anybody's.
    /// - Throws: `ClientError` `.otherOwner`: the token is not that player's.
    func token(for owner: String?) throws(ClientError) -> String? {
        guard owner == nil || owner == player else { throw ClientError(.otherOwner) }
        return token
    }

    func onChange(_ changed: @escaping @Sendable (_ token: String, _ isRefused: Bool) async -> Void) {
        self.changed = changed
    }

    /// Looks at an attempt that has ended. A 401 of the service's own to the token refuses it; a later success shows that it
    /// is accepted, because on every path below, unlike for the app's, the service refuses a wrong token.
    func took(_ ended: EndedExchange) async {
        let path = ended.exchange.path
        guard path.hasPrefix("/v2/") || path == "/lottery/entry" else { return }
        guard let token, ended.exchange.message.headers.value(of: "Authorization") == "Bearer \(token)" else { return }
        let refused: Bool
        switch ended.result {
        case .success: refused = false
        case .failure(let error):
            guard let refusal = error.refusal, refusal.isOfService, refusal.status == 401 else { return }
            // A request with the token may contain another proof that is refused, such as a merge.
            guard path != "/v2/players/me/merge" else { return }
            refused = true
        }
        guard refused != isRefused else { return }
        isRefused = refused
        await changed?(token, refused)
    }
}

extension SessionToken: CustomStringConvertible, CustomReflectable {
    /// The type's name: the token is a secret.
    nonisolated var description: String { "SessionToken" }
    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
