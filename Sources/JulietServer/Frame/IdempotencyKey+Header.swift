import JulietAPI

extension IdempotencyKey {
    /// The header that names an operation, of the app, of `/v2` and of operators.
    static let headerName = "Idempotency-Key"
}
