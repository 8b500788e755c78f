import AppStoreTesting
import Foundation
import JulietAPI
import Testing

/// An App Store of the tests' own, and services that believe it.
final class TestStore: Sendable {
    let authority: TestAuthority
    private let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-store-\(UUID().uuidString)")

    /// What is sold, at 5 and 30 energy a piece.
    static let (five, thirty) = ("com.example.game.five", "com.example.game.thirty")

    init() throws {
        authority = try TestAuthority()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(authority.rootDER).write(to: folder.appending(path: "root.cer"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The settings of a service that sells for it.
    func settings(_ verification: String = "whenPresent", environments: String = "Production") -> [String: String] {
        [
            "purchases.verification": verification, "purchases.bundleId": "com.example.game",
            "purchases.appAppleId": "1234567890", "purchases.environments": environments,
            "purchases.products": "\(Self.five)=5,\(Self.thirty)=30",
            "purchases.rootCertificates": folder.appending(path: "root.cer").path,
        ]
    }

    /// The same as a process's environment.
    func environment(_ verification: String = "whenPresent") -> [String: String] {
        let settings = settings(verification)
        return [
            "JULIET_PURCHASES_VERIFICATION": verification,
            "JULIET_PURCHASES_BUNDLE_ID": settings["purchases.bundleId"] ?? "",
            "JULIET_PURCHASES_APP_APPLE_ID": settings["purchases.appAppleId"] ?? "",
            "JULIET_PURCHASES_PRODUCTS": settings["purchases.products"] ?? "",
            "JULIET_PURCHASES_ROOT_CERTIFICATES": settings["purchases.rootCertificates"] ?? "",
        ]
    }

    /// A transaction's number that nobody has used.
    static func newNumber() -> String { "20000\(UInt64.random(in: 1_000_000_000...9_999_999_999))" }

    /// What a client presents.
    func signed(_ transaction: TestTransaction) throws -> String { try authority.sign(transaction.payload) }

    /// A notification as the store posts it, with a date some seconds from a moment.
    func notification(
        _ type: String, _ transaction: TestTransaction?, uuid: String = UUID().uuidString.lowercased(),
        at seconds: Double = 0, after start: Date = .now
    ) throws -> [UInt8] {
        let told = TestNotification(type, transaction, uuid: uuid, signed: start + seconds)
        return TestService.post(Array(try authority.body(of: told).utf8), to: "/app-store/notifications")
    }
}

extension TestService {
    /// Presents a transaction as the app does.
    func buy(
        _ signed: String?, amount: Int, for user: String, key: String? = nil
    ) async throws -> (reply: HTTPReply, answer: Answer) {
        let request: GameRequest =
            if let signed {
                .handleSignedEnergyPurchase(userID: user, energyPurchaseAmount: amount, signedTransaction: signed)
            } else {
                .handleEnergyPurchase(userID: user, energyPurchaseAmount: amount)
            }
        let reply = try await reply(to: request, fields: key.map { ["Idempotency-Key: \($0)"] } ?? [])
        return (reply, try reply.answer(to: .handleEnergyPurchase))
    }

    /// A player of the app.
    func newPlayer() async throws -> String {
        let user = Self.newUser()
        #expect(try await answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        return user
    }

    /// Has the store tell something, and returns the status.
    func tell(_ notification: [UInt8]) async throws -> Int { try await exchange(notification).status }
}

extension V2Client {
    /// Presents a transaction.
    func buy(_ signed: String) async throws -> V2Reply {
        try await post("/v2/purchases", #"{"signedTransaction": "\#(signed)"}"#)
    }
}

extension Answer {
    /// Codes, balance and the problem's code: "200/404 30 purchase.used".
    var summary: String {
        "\(outerStatus)/\(innerStatus ?? 0) \(userEnergy)" + (problem.map { " \($0.code)" } ?? "")
    }
}

extension TestDatabase {
    /// What the ledger says of a player's purchases: change and balance, one after the other.
    func bought(by user: String) async throws -> String {
        try await psql(
            """
            SELECT string_agg(format('%s %s %s', reason, delta, balance_after), ', ' ORDER BY entry) FROM energy_ledger
            WHERE user_id = '\(user)' AND reason IN ('purchase', 'refund')
            """)
    }
}
