import AppStore
import AppStoreTesting
import Crypto
import Foundation

/// An app's server, and the App Store that it believes.
struct Shop {
    let authority: TestAuthority
    let verifier: AppStoreVerifier

    /// For all tests that want Apple's shape: keys take time to make.
    static let shared = Result { try Shop(TestAuthority()) }

    static let player = "0f4e6a2c-9d1b-8c3e-a5f7-112233445566"

    init(_ authority: TestAuthority, _ change: (inout AppStoreVerifier.Configuration) -> Void = { _ in }) throws {
        self.authority = authority
        var configuration = AppStoreVerifier.Configuration(bundleID: "com.example.game")
        configuration.appAppleID = 1_234_567_890
        configuration.products = ["com.example.game.five", "com.example.game.thirty"]
        configuration.rootCertificates = [authority.rootDER]
        change(&configuration)
        verifier = try AppStoreVerifier(configuration: configuration)
    }

    /// Why a text is refused as a purchase; nil: it is not.
    func refusal(of jws: String, account: String = player, now: AppStoreDate = .now) async -> AppStoreRefusal? {
        do {
            _ = try await verifier.purchase(jws, account: account, now: now)
            return nil
        } catch {
            return error
        }
    }

    /// Why a transaction is refused that the store signed.
    func refusal(of transaction: TestTransaction, account: String = player) async throws -> AppStoreRefusal? {
        await refusal(of: try authority.sign(transaction.payload), account: account)
    }

    /// Why a notification is refused that the store signed.
    func refusal(of notification: TestNotification, now: AppStoreDate = .now) async throws -> AppStoreRefusal? {
        do {
            _ = try await verifier.notification(authority.sign(notification.payload(signedBy: authority)), now: now)
            return nil
        } catch let refusal as AppStoreRefusal {
            return refusal
        }
    }
}

extension AppStoreDate {
    /// Another clock's time, whole milliseconds.
    init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())) }
}

extension String {
    /// The parts between the dots.
    var parts: [String] { split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
}
