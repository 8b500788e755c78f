/// The four URLs the app posts to.
package enum Endpoint: CaseIterable, Sendable {
    case authenticateUser
    case wordManager
    case iapManager
    case userSessionManager

    /// The absolute path, without the prefix a deployment may put before it.
    package var path: String {
        switch self {
        case .authenticateUser: "/Juliet_AuthenticateUser"
        case .wordManager: "/Juliet_WordManager"
        case .iapManager: "/Juliet_IAPManager"
        case .userSessionManager: "/Juliet_UserSessionManager"
        }
    }

    /// A second path that means the same, where there is one.
    package var alias: String? {
        switch self {
        case .authenticateUser: "/Juliet_AuthenticateUsers"
        case .wordManager, .iapManager, .userSessionManager: nil
        }
    }
}
