// swift-format-ignore-file

public import Foundation

// What the documentation's samples use of StoreKit, as Apple's documentation declares it, so that they can be compiled where
// there is no StoreKit. Nothing of it is ever run.

public struct Product: Identifiable, Sendable {
    public struct PurchaseOption: Hashable, Sendable {
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { fatalError() }
    }

    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
    }

    public let id: String

    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult { fatalError() }
}

@frozen public enum VerificationResult<SignedType> {
    public enum VerificationError: Error {
        case invalidSignature
    }

    case unverified(SignedType, VerificationError)
    case verified(SignedType)
}

extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult where SignedType == Transaction {
    public var jwsRepresentation: String { fatalError() }
}

public struct Transaction: Identifiable, Sendable {
    public struct Transactions: AsyncSequence, Sendable {
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> VerificationResult<Transaction>? { fatalError() }
        }

        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    }

    public static var updates: Transactions { fatalError() }

    public let id: UInt64

    public func finish() async { fatalError() }
}
