import StrictEncoding

/// Verifies what the App Store signed: offline, by its certificates alone.
///
/// A value of constants and a small cache of chains already checked, for any number of threads. Nothing here waits. A
/// verification costs a core 0.1 ms, or 1.2 ms when the chain is new, so it may run on an event loop.
public struct AppStoreVerifier: Sendable {
    private let configuration: Configuration
    private let chains: ChainVerifier

    /// A verifier with these rules.
    ///
    /// - Throws: ``ConfigurationError`` when a root certificate cannot be read, or there is none.
    public init(configuration: Configuration) throws(ConfigurationError) {
        self.configuration = configuration
        chains = ChainVerifier(roots: try RootCertificates(configuration.rootCertificates))
    }

    /// Verifies a transaction that a client presents (`Transaction.jwsRepresentation` of StoreKit 2).
    ///
    /// - Parameters:
    ///   - jws: The transaction, signed.
    ///   - account: Who presents it. If the transaction names an account, it must be this one, a UUID in any letter
    ///     case. nil: the caller checks it (``AppStoreTransaction/appAccountToken``).
    ///   - now: The current time.
    /// - Returns: What was bought, and whether to credit it or take it back. The caller must credit it only once.
    /// - Throws: ``AppStoreRefusal``, the first rule that is broken in the order of its cases.
    public func purchase(
        _ jws: String, account: String?, now: AppStoreDate = .now
    ) async throws(AppStoreRefusal) -> AppStorePurchase {
        let payload = try await verified(jws, as: PurchasePayload.self, now: now)
        let transaction = AppStoreTransaction(payload, try environment(of: payload.transaction))
        guard transaction.type == "Consumable", transaction.ownership == "PURCHASED" else { throw .type }
        if let products = configuration.products, !products.contains(transaction.productID) { throw .product }
        guard 1...10 ~= transaction.quantity else { throw .quantity }
        if let date = transaction.revocationDate { return .revoked(transaction, at: date) }
        if let account, payload.transaction.appAccountToken?.isOf(account) == false { throw .account }
        return .valid(transaction)
    }

    /// Verifies a notification, and the transaction in it.
    ///
    /// - Parameters:
    ///   - signedPayload: The member of that name in the request's body.
    ///   - now: The current time.
    /// - Returns: The event, of any type. Renewal information is ignored.
    /// - Throws: ``AppStoreRefusal``: `malformed`, `algorithm`, `chain`, `signature`, `bundle`, `app` or `environment`.
    public func notification(
        _ signedPayload: String, now: AppStoreDate = .now
    ) async throws(AppStoreRefusal) -> AppStoreNotification {
        let payload = try await verified(signedPayload, as: NotificationPayload.self, now: now)
        guard let subject = payload.subject, let bundle = subject.bundleId, bundle == configuration.bundleID else {
            throw .bundle
        }
        let environment = AppStoreEnvironment(rawValue: subject.environmentName)
        guard isApp(subject.appAppleId, in: environment) else { throw .app }
        guard let environment, configuration.environments.contains(environment) else { throw .environment }
        var transaction: AppStoreNotification.Transaction?
        if let signed = subject.signedTransactionInfo {
            let payload = try await verified(signed, as: TransactionPayload.self, now: now)
            guard try self.environment(of: payload) == environment else { throw .environment }
            transaction = .init(payload, environment)
        }
        return AppStoreNotification(
            notificationUUID: payload.notificationUUID.text, type: payload.notificationType, subtype: payload.subtype,
            version: payload.version, signedDate: payload.signedDate, environment: environment, bundleID: bundle,
            appAppleID: subject.appAppleId, transaction: transaction)
    }

    /// The sandbox leaves the number out. If it is there, and configured here, it must be the app's.
    private func isApp(_ number: Int64?, in environment: AppStoreEnvironment?) -> Bool {
        guard let number, let known = configuration.appAppleID else { return environment == .sandbox }
        return number == known
    }

    /// What the App Store signed, at a date at which its certificates were valid. Nothing in it is used before that is verified.
    private func verified<Payload: SignedPayload>(
        _ text: String, as type: Payload.Type, now: AppStoreDate
    ) async throws(AppStoreRefusal) -> Payload {
        guard let jws = CompactJWS(text) else { throw .malformed }
        let chain = try await chains.verify(jws.certificates())
        guard chain.hasSigned(jws) else { throw .signature }
        let payload = try Payload(json: jws.payload)
        let latest = now.milliseconds + Int64(configuration.maximumClockSkew / .milliseconds(1))
        guard chain.isValid(at: payload.signedDate), payload.signedDate.milliseconds <= latest else { throw .chain }
        return payload
    }

    /// Where a transaction of this app was made; one that is not allowed is refused.
    private func environment(of payload: TransactionPayload) throws(AppStoreRefusal) -> AppStoreEnvironment {
        guard payload.bundleId == configuration.bundleID else { throw .bundle }
        guard let environment = AppStoreEnvironment(rawValue: payload.environment),
            configuration.environments.contains(environment)
        else { throw .environment }
        return environment
    }
}
