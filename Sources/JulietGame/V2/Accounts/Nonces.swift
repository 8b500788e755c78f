package import Postgres

/// Challenges and nonces in the database: the key that signs them, and those that were used.
package struct Nonces: Sendable {
    private let database: PostgresClient

    /// Nonces on this database.
    package init(database: PostgresClient) { self.database = database }

    /// The key that all services sign nonces with, 32 bytes; nil: somebody has emptied the table. A secret.
    package func key() async throws(PostgresError) -> [UInt8]? {
        try await database.first(FunctionCall.readNonceKey()) ?? nil
    }

    /// Uses up a nonce whose answer was refused.
    ///
    /// - Returns: Whether it was not used before.
    package func spend(_ nonce: [UInt8]) async throws(PostgresError) -> Bool { try await database.spend(nonce) }
}

extension PostgresClient {
    /// Uses a nonce up, and returns whether it was not used before.
    func spend(_ nonce: [UInt8]) async throws(PostgresError) -> Bool {
        try await first(FunctionCall.spendNonce(nonce)) ?? false
    }
}
