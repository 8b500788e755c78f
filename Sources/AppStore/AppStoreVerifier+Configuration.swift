extension AppStoreVerifier {
    /// What is taken.
    public struct Configuration: Sendable {
        /// The app's bundle, for example `com.example.game`.
        public var bundleID: String
        /// The app's number at Apple, which notifications of Production must name. Default: nil, so those are refused.
        public var appAppleID: Int64?
        /// Where something may have been bought. Default: only Production. App Review buys in the sandbox.
        public var environments: Set<AppStoreEnvironment> = [.production]
        /// The products that may be presented; nil: any, and the caller looks at ``AppStoreTransaction/productID``. Default:
        /// none.
        public var products: Set<String>? = []
        /// Files of certificates, PEM or DER, of which one ends every chain. Default: Apple Root CA - G3.
        public var rootCertificates: [[UInt8]] = [appleRootCertificate]
        /// How far ahead of the clock a signed date may lie. Default: five minutes.
        public var maximumClockSkew: Duration = .seconds(300)

        /// What one app's server takes; the rest are the defaults.
        public init(bundleID: String) { self.bundleID = bundleID }

        /// Apple Root CA - G3 in DER, as <https://www.apple.com/certificateauthority/> has it.
        public static let appleRootCertificate = PackageResources.AppleRootCA_G3_cer
    }

    /// Why nothing can be verified.
    public enum ConfigurationError: Error, Equatable, CustomStringConvertible {
        /// There is no root certificate, so no chain would ever end.
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
