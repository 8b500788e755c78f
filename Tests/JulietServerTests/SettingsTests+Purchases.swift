import AppStore
import AppStoreTesting
import Foundation
import JulietGame
import Testing

@testable import JulietServer

/// The keys `purchases.…`.
extension SettingsTests {
    /// All that verifying needs.
    private static let purchases = [
        "JULIET_PURCHASES_VERIFICATION": "required", "JULIET_PURCHASES_BUNDLE_ID": "com.example.game",
        "JULIET_PURCHASES_APP_APPLE_ID": "1234567890",
        "JULIET_PURCHASES_PRODUCTS": "com.example.game.five=5, com.example.game.thirty=30",
    ]

    @Test("verify no purchase unless told to, and nothing at all without a bundle")
    func noVerification() throws {
        let defaults = try Self.settings()
        #expect(defaults.rules.verification == .none && defaults.rules.unverifiedDailyLimit == 0)
        #expect(defaults.purchases.verifier == nil && defaults.purchases.products.isEmpty)
        let file = #"{"purchases": {"bundleId": "a", "unverifiedDailyLimit": 60}}"#
        let settings = try Self.settings(file: file)
        #expect(settings.rules.verification == .none && settings.rules.unverifiedDailyLimit == 60)
        #expect(settings.purchases.verifier != nil)
        let file2 = #"{"purchases": {"products": ["a=5"]}}"#
        #expect(try Self.settings(file: file2).purchases.verifier == nil)
    }

    @Test("say what is sold, and verify what the App Store signs", arguments: ["whenPresent", "required"])
    func verification(text: String) async throws {
        let authority = try TestAuthority()
        var environment = Self.purchases
        environment["JULIET_PURCHASES_VERIFICATION"] = text
        environment["JULIET_PURCHASES_ROOT_CERTIFICATES"] = "/roots/der, /roots/pem"
        let all = try Settings(
            environment: environment, file: nil,
            readFile: { path in
                path == "/roots/der" ? authority.rootDER : Array(try TestAuthority().rootPEM.utf8)
            }
        )
        let settings = all.purchases
        #expect(all.rules.verification.rawValue == text)
        #expect(settings.products == ["com.example.game.five": 5, "com.example.game.thirty": 30])
        let verifier = try #require(settings.verifier)
        // What is sold no more may have been bought: the records say.
        for product in ["com.example.game.five", "com.example.game.six"] {
            let jws = try authority.sign(TestTransaction(product: product).payload)
            await #expect(Self.refusal { _ = try await verifier.purchase(jws, account: "me") } == nil)
        }
        let notification = TestNotification(app: 1)
        let signed = try authority.sign(notification.payload(signedBy: authority))
        await #expect(Self.refusal { _ = try await verifier.notification(signed) } == .app)
        // In another's place, Apple's root is none.
        let apples = try #require(try Self.settings(environment: Self.purchases).purchases.verifier)
        await #expect(Self.refusal { _ = try await apples.notification(signed) } == .chain)
    }

    private static func refusal(_ body: () async throws -> Void) async -> AppStoreRefusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AppStoreRefusal
        }
    }

    @Test("may come from the sandbox only where that is said, and then need no app's number if from nowhere else")
    func environments() async throws {
        let authority = try TestAuthority()
        var environment = Self.purchases
        environment["JULIET_PURCHASES_ENVIRONMENTS"] = "Sandbox"
        environment["JULIET_PURCHASES_APP_APPLE_ID"] = nil
        environment["JULIET_PURCHASES_ROOT_CERTIFICATES"] = "/root"
        let settings = try Settings(environment: environment, file: nil, readFile: { _ in authority.rootDER })
        let verifier = try #require(settings.purchases.verifier)
        for (name, refusal) in [("Sandbox", nil), ("Production", .environment)] as [(String, AppStoreRefusal?)] {
            let jws = try authority.sign(
                TestTransaction(product: "com.example.game.five", environment: name).payload)
            await #expect(Self.refusal { _ = try await verifier.purchase(jws, account: "me") } == refusal)
        }
        #expect(try Self.setting("purchases.environments", settings).shown == "Sandbox")
    }

    @Test(
        "verify purchases only with all that it takes",
        arguments: [
            (["BUNDLE_ID"], "purchases.bundleId: purchases.verification is required, so name the app's bundle"),
            (
                ["PRODUCTS"],
                "purchases.products: purchases.verification is required, so name what may be bought, such as com.example.five=5"
            ),
            (
                ["APP_APPLE_ID"],
                "purchases.appAppleId: purchases.verification is required and purchases.environments has Production, so name the app's number"
            ),
            (
                ["BUNDLE_ID", "PRODUCTS", "APP_APPLE_ID"],
                "purchases.bundleId: purchases.verification is required, so name the app's bundle"
            ),
        ])
    func incomplete(names: [String], message: String) {
        var environment = Self.purchases
        for name in names { environment["JULIET_PURCHASES_\(name)"] = nil }
        #expect(Self.error(environment: environment) == message)
        environment["JULIET_PURCHASES_VERIFICATION"] = "whenPresent"
        #expect(Self.error(environment: environment) == message.replacing("is required", with: "is whenPresent"))
        environment["JULIET_PURCHASES_VERIFICATION"] = "none"
        #expect(Self.error(environment: environment) == nil)
    }

    @Test(
        "name products with their energy, each once",
        arguments: [
            "a", "a=", "=5", "a=0", "a=-5", "a=5.5", "a=05", "a=1000000", "a=5,b", "a=5,a=6", "a=5,a=5", "a b=5",
            "a==5",
            "a=5;b=6", "ä=5",
        ])
    func badProducts(text: String) {
        #expect(
            Self.error(environment: ["JULIET_PURCHASES_PRODUCTS": text])
                == "purchases.products (JULIET_PURCHASES_PRODUCTS): \"\(text)\" is not products with their energy, each once, such as com.example.five=5,com.example.thirty=30"
        )
    }

    @Test(
        "of purchases that are wrong stop the start",
        arguments: [
            ("VERIFICATION", "yes"), ("BUNDLE_ID", "com example"), ("BUNDLE_ID", "a/b"), ("APP_APPLE_ID", "0"),
            ("APP_APPLE_ID", "id123"), ("APP_APPLE_ID", "-1"), ("APP_APPLE_ID", "1234567890123456"),
            ("ENVIRONMENTS", "production"), ("ENVIRONMENTS", "Production,Xcode"), ("ENVIRONMENTS", "LocalTesting"),
            ("ENVIRONMENTS", ""), ("UNVERIFIED_DAILY_LIMIT", "-1"),
        ])
    func badPurchases(name: String, value: String) {
        let error = Self.error(environment: ["JULIET_PURCHASES_\(name)": value])
        #expect(error?.hasPrefix("purchases.") == true)
        #expect(error?.contains("(JULIET_PURCHASES_\(name)): \"\(value)\" is not ") == true)
    }

    @Test("say which root certificate cannot be read, whether anything is verified or not")
    func roots() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let (missing, folder, text) = (here.path + "/missing.cer", here.path, #filePath)
        for (paths, expected) in [
            (missing, "cannot read \(missing): No such file or directory"),
            (folder, "cannot read \(folder): it is not a readable file"),
            (text, "\(text) holds no certificate in PEM or DER"),
        ] {
            let error = Self.error(environment: ["JULIET_PURCHASES_ROOT_CERTIFICATES": paths])
            #expect(error == "purchases.rootCertificates: \(expected)")
        }
        let root = here.appending(path: "../../config/AppleRootCA-G3.cer").path
        #expect(try Self.settings(environment: ["JULIET_PURCHASES_ROOT_CERTIFICATES": root]).purchases.verifier == nil)
    }

    @Test("of purchases are nothing to the commands that need only the database")
    func purchasesElsewhere() throws {
        let environment = ["JULIET_PURCHASES_VERIFICATION": "required", "JULIET_PURCHASES_ROOT_CERTIFICATES": "/none"]
        #expect(try Self.settings(environment: environment, part: .database).rules.verification == .none)
    }

    @Test("of rules are read for `juliet rules`, the others are not, and what is set is told from defaults")
    func rules() throws {
        let environment = [
            "JULIET_PURCHASES_VERIFICATION": "required", "JULIET_PURCHASES_ROOT_CERTIFICATES": "/none",
            "JULIET_ENERGY_PRICE": "0", "JULIET_ENERGY_START": "1000000", "JULIET_HTTP_PORT": "none",
        ]
        let settings = try Self.settings(environment: environment, part: .rules)
        #expect(settings.rules.verification == .required && settings.rules.claims == .refuse)
        #expect(settings.rules.gamePrice == 0 && settings.rules.startingEnergy == 1_000_000)
        #expect(settings.setRules == [.startingEnergy, .gamePrice, .verification])
        // Every rule is a setting.
        let keys = Set(settings.list.map(\.key))
        for key in GameRules.Key.allCases { #expect(keys.contains(key.rawValue)) }
        #expect(
            Self.error(environment: ["JULIET_ENERGY_PRICE": "-1"])
                == "energy.price (JULIET_ENERGY_PRICE): \"-1\" is not a whole number from 0 to 1000000")
    }
}
