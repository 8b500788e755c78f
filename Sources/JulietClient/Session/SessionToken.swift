/// The token that a session's requests carry, and who is told when the service refuses it.
actor SessionToken {
    private(set) var token: String?
    private var isRefused = false
    private var changed: (@Sendable (_ token: String, _ isRefused: Bool) async -> Void)?

    func set(_ token: String?, isRefused: Bool = false) {
        self.token = token
        self.isRefused = isRefused
    }

    func onChange(_ changed: @escaping @Sendable (_ token: String, _ isRefused: Bool) async -> Void) {
        self.changed = changed
    }

    /// Looks at an attempt that has ended. A 401 of the service's own to the token refuses it; a later success shows that it
    /// is taken all the same, for the service refuses a wrong token wherever it looks at one: not in the first contract.
    func took(_ ended: EndedExchange) async {
        let path = ended.exchange.path
        guard path.hasPrefix("/v2/") || path == "/lottery/entry" else { return }
        guard let token, ended.exchange.message.headers.value(of: "Authorization") == "Bearer \(token)" else { return }
        let refused: Bool
        switch ended.result {
        case .success: refused = false
        case .failure(let error):
            guard let refusal = error.refusal, refusal.isOfService, refusal.status == 401 else { return }
            // What was sent with the token may hold another proof that is refused: a merge's.
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
