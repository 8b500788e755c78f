package import AppStore
import JulietGame

/// How purchases are verified, and what they bring. Whether they must be verified is a rule (``GameRules/verification``).
package struct PurchaseSettings: Sendable {
    /// Whole energy units that one of each product brings. Default: none.
    package var products: [String: Int] = [:]
    /// Verifies what the App Store signed; nil, the default: no bundle id is set, and requests that need it answer 503.
    package var verifier: AppStoreVerifier?

    /// The defaults.
    package init() {}

    /// Products and their energy, as settings list them: `id=energy`. nil if one is malformed or occurs twice.
    static func products(_ texts: [String]) -> [String: Int]? {
        var products: [String: Int] = [:]
        for text in texts {
            guard let parts = text.wholeMatch(of: #/(?<id>[A-Za-z0-9._\-]{1,100})=(?<energy>[1-9][0-9]{0,5})/#),
                let energy = Int(parts.energy), products.updateValue(energy, forKey: String(parts.id)) == nil
            else { return nil }
        }
        return products
    }

    /// Environments in Apple's spelling, at least one; nil if one is unknown.
    static func environments(_ texts: [String]) -> Set<AppStoreEnvironment>? {
        let environments = texts.compactMap(AppStoreEnvironment.init)
        return environments.isEmpty || environments.count < texts.count ? nil : Set(environments)
    }
}

extension PurchaseSettings {
    /// Reads the keys `purchases.…`; the rules among them go to the rules.
    ///
    /// - Parameter readFile: Reads a certificate's file.
    init(_ reader: inout SettingsReader, _ rules: inout GameRules, readFile: (String) throws -> [UInt8]) {
        rules.verification = reader.choice(
            "purchases.verification", rules.verification,
            "Whether the app's purchases must be signed by the App Store; set required once your app sends signatures. Purchases of /v2 must always be signed"
        )
        let bundle = reader.text(
            "purchases.bundleId", "", expecting: "a bundle id such as com.example.game",
            "The app's bundle, if it sells energy; none: /v2/purchases and notifications answer 503"
        ) { $0.wholeMatch(of: #/[A-Za-z0-9.\-]{0,155}/#) == nil ? nil : $0 }
        let number = reader.text(
            "purchases.appAppleId", "", expecting: "the app's number in App Store Connect, such as 1234567890",
            "The app's number, which notifications of Production must name"
        ) { $0.wholeMatch(of: #/([1-9][0-9]{0,14})?/#) == nil ? nil : $0 }
        let environments = reader.list(
            "purchases.environments", [AppStoreEnvironment.production.rawValue],
            expecting: "Production or Sandbox, or both, separated by commas",
            "Where purchases may come from; App Review buys in the Sandbox"
        ) { Self.environments($0) == nil ? nil : $0 }
        let products = reader.list(
            "purchases.products",
            expecting: "products with their energy, each once, such as com.example.five=5,com.example.thirty=30",
            "What may be bought in your app, and the energy that each brings"
        ) { Self.products($0) == nil ? nil : $0 }
        let files = reader.list(
            "purchases.rootCertificates", expecting: "paths of PEM or DER files, separated by commas",
            "Files to use instead of Apple's root certificate, should Apple change it"
        ) { $0 }
        rules.unverifiedDailyLimit = reader.integer(
            "purchases.unverifiedDailyLimit", rules.unverifiedDailyLimit, in: 0...1_000_000_000,
            "Energy a player may buy in a UTC day without a signature, against made-up purchases; 0: no limit")

        var configuration = AppStoreVerifier.Configuration(bundleID: bundle)
        configuration.appAppleID = Int64(number)
        configuration.environments = Self.environments(environments) ?? configuration.environments
        self.products = Self.products(products) ?? [:]
        // A product that is no longer sold may have been bought before: the database decides.
        configuration.products = nil
        if !files.isEmpty { configuration.rootCertificates = Self.read(files, with: readFile, &reader) }
        if rules.verification != .none, reader.part == .all { demand(configuration, rules.verification, &reader) }
        // Also without a bundle, because unreadable certificates are a mistake in any case.
        let verifier = Self.verifier(configuration, files, &reader)
        self.verifier = bundle.isEmpty ? nil : verifier
    }

    /// Refuses settings that lack what is needed to verify purchases.
    private func demand(
        _ configuration: AppStoreVerifier.Configuration, _ verification: GameRules.Verification,
        _ reader: inout SettingsReader
    ) {
        let why = "purchases.verification is \(verification.rawValue)"
        if configuration.bundleID.isEmpty {
            reader.refuse("purchases.bundleId: \(why), so name the app's bundle")
        }
        if products.isEmpty {
            reader.refuse("purchases.products: \(why), so name what may be bought, such as com.example.five=5")
        }
        if configuration.environments.contains(.production), configuration.appAppleID == nil {
            reader.refuse(
                "purchases.appAppleId: \(why) and purchases.environments has Production, so name the app's number")
        }
    }

    private static func read(
        _ files: [String], with readFile: (String) throws -> [UInt8], _ reader: inout SettingsReader
    ) -> [[UInt8]] {
        files.map { path in
            do { return try readFile(path) } catch {
                reader.refuse("purchases.rootCertificates: cannot read \(path): \(error)")
                return []
            }
        }
    }

    private static func verifier(
        _ configuration: AppStoreVerifier.Configuration, _ files: [String], _ reader: inout SettingsReader
    ) -> AppStoreVerifier? {
        do {
            return try AppStoreVerifier(configuration: configuration)
        } catch {
            guard case .badRootCertificate(let index) = error, files.indices.contains(index) else {
                reader.refuse("purchases.rootCertificates: \(error)")
                return nil
            }
            reader.refuse("purchases.rootCertificates: \(files[index]) holds no certificate in PEM or DER")
            return nil
        }
    }
}
