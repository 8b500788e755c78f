import JulietAPI
import JulietGame
import Postgres

extension Answer {
    /// What a request is answered that the game did not fulfil. The only place where errors become codes.
    init(_ error: GameError, to type: RequestType) {
        self =
            switch error {
            case .userUnknown: .refused(type, .userUnknown)
            case .energyInsufficient(let balance): .refused(type, .energyInsufficient, energy: balance)
            case .productUnknown(let balance): .refused(type, .productUnknown, energy: balance)
            case .energyReportRefused(let balance): .refused(type, .energyReportRefused, energy: balance)
            case .wordUnknown: .refused(type, .wordUnknown)
            case .operationReused: .failed(.idempotencyKeyReused, type: type)
            case .noWords: .failed(.serverWithoutWords, type: type)
            case .database(let error): .failed(error.errorCode, type: type)
            }
    }
}

extension PostgresError {
    fileprivate var errorCode: ErrorCode {
        switch code {
        case .queueFull, .queueTimeout, .deadlineExceeded: .serverOverloaded
        case .notSent, .outcomeUnknown, .connectionFailed, .closed, .cancelled: .serverUnavailable
        case .server where isUnavailability: .serverUnavailable
        default: .serverInternal
        }
    }

    /// Whether the server refuses for a time, not for the statement (PostgreSQL, Appendix A): it is starting or
    /// stopping, read-only after a failover, out of connections or disk, or a lock is held too long.
    private var isUnavailability: Bool {
        guard let state = sqlState?.description else { return false }
        return ["08", "40", "53", "57", "58"].contains(state.prefix(2)) || ["25006", "55P03"].contains(state)
    }
}
