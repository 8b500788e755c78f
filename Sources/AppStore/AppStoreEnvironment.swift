/// Where something was bought. What `Xcode` and `LocalTesting` sign, anybody can sign: they are none.
public enum AppStoreEnvironment: String, Sendable, CaseIterable {
    /// By customers, with money.
    case production = "Production"
    /// By testers and by App Review, without.
    case sandbox = "Sandbox"
}
