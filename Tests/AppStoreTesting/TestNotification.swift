public import Foundation

/// A notification of version 2.
public struct TestNotification: Sendable {
    /// The members beside the one it is about; change them at will.
    public var members: [String: JSONValue]
    /// What it is about: `data`, `summary`, `appData` or `externalPurchaseToken`.
    public var subjectName = "data"
    /// The members of that.
    public var subject: [String: JSONValue]
    /// The transaction in it.
    public var transaction: TestTransaction?

    /// One about a transaction, signed just now.
    public init(
        _ type: String = "REFUND", _ transaction: TestTransaction? = nil, uuid: String = UUID().uuidString.lowercased(),
        bundle: String = "com.example.game", app: Int64? = 1_234_567_890, environment: String = "Production",
        signed: Date = .now
    ) {
        members = [
            "notificationType": .text(type), "notificationUUID": .text(uuid), "version": "2.0",
            "signedDate": .milliseconds(signed),
        ]
        subject = ["bundleId": .text(bundle), "bundleVersion": "1", "environment": .text(environment)]
        subject["appAppleId"] = app.map(JSONValue.number)
        self.transaction = transaction
    }

    /// The same with another member of what it is about; nil: without it.
    public func with(_ name: String, _ value: JSONValue?) -> TestNotification {
        var copy = self
        copy.subject[name] = value
        return copy
    }

    /// What is signed.
    public func payload(signedBy authority: TestAuthority) throws -> JSONValue {
        var subject = subject
        if let transaction { subject["signedTransactionInfo"] = .text(try authority.sign(transaction.payload)) }
        return .object(members.merging([subjectName: .object(subject)]) { _, new in new })
    }
}
