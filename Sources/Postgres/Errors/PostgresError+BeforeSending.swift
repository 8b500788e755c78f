extension PostgresError {
    /// A lost connection's error for something that cannot have taken effect.
    var beforeSending: PostgresError {
        var error = PostgresError(.notSent)
        error.sqlState = sqlState
        error.severity = severity
        error.serverMessage = serverMessage
        return error
    }
}
