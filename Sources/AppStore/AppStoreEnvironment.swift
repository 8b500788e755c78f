/// Where something was bought. `Xcode` and `LocalTesting` are not included, because anybody can make their signatures.
public enum AppStoreEnvironment: String, Sendable, CaseIterable {
    /// By customers, with money.
    case production = "Production"
    /// By testers and by App Review, without money.
    case sandbox = "Sandbox"
}
