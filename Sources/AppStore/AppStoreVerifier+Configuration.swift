extension AppStoreVerifier {
    /// What the verifier accepts.
    public struct Configuration: Sendable {
        /// The app's bundle, for example `com.example.game`.
        public var bundleID: String
        /// The app's number at Apple, which notifications of Production must have. Default: nil, so those are refused.
        public var appAppleID: Int64?
        /// Where something may have been bought. Default: only Production. App Review buys in the sandbox.
        public var environments: Set<AppStoreEnvironment> = [.production]
        /// The products that may be presented; nil: any, and the caller checks ``AppStoreTransaction/productID``. Default:
        /// none.
        public var products: Set<String>? = []
        /// Files of root certificates, PEM or DER, one of which must end every chain. Default: Apple Root CA - G3.
        public var rootCertificates: [[UInt8]] = [appleRootCertificate]
        /// How far in the future a signed date may be. Default: five minutes.
        public var maximumClockSkew: Duration = .seconds(300)

        /// A configuration for one app's server; the rest has the defaults.
        public init(bundleID: String) { self.bundleID = bundleID }

        /// Apple Root CA - G3 in DER, as <https://www.apple.com/certificateauthority/> has it.
        public static let appleRootCertificate = PackageResources.AppleRootCA_G3_cer
    }

    /// Why nothing can be verified.
    public enum ConfigurationError: Error, Equatable, CustomStringConvertible {
        /// There is no root certificate, so no chain would be valid.
        case noRootCertificate
        /// One of the files, counted from 0, holds no certificate in PEM or DER.
        case badRootCertificate(index: Int)

        /// What is wrong, in a few words.
        public var description: String {
            switch self {
            case .noRootCertificate: "no root certificate"
            case .badRootCertificate(let index): "root certificate \(index + 1) is neither PEM nor DER"
            }
        }
    }
}
