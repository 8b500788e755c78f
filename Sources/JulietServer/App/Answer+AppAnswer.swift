import JulietAPI
import JulietGame
import Postgres

extension Answer {
    /// The answer to a request, by what became of it. Only here do refusals become codes.
    init(_ answer: AppAnswer, to type: RequestType) {
        self =
            switch answer.outcome {
            case .done(let state): .done(type, state)
            case .refused(let refusal, let state): .refused(type, refusal, energy: state.energy, wins: state.wins)
            }
    }

    private static func refused(_ type: RequestType, _ refusal: AppRefusal, energy: Energy, wins: Int) -> Answer {
        switch refusal {
        case .userUnknown: .refused(type, .userUnknown)
        case .energyInsufficient:
            .refused(type, .energyInsufficient, message: Debt.explanation(of: energy), energy: energy)
        case .energyFull: .refused(type, .energyFull, energy: energy)
        case .productUnknown: .refused(type, .productUnknown, energy: energy)
        case .reportRefused: .refused(type, .energyReportRefused, energy: energy)
        case .winsFull: .refused(type, .winsFull, wins: wins)
        case .wordUnknown: .refused(type, .wordUnknown)
        case .noWords: .failed(.serverWithoutWords, type: type)
        case .operationReused: .failed(.idempotencyKeyReused, type: type)
        case .purchaseRefused(let reason): .refused(type, reason, energy: energy)
        }
    }

    private static func done(_ type: RequestType, _ state: AppState) -> Answer {
        switch type {
        case .initialRegistration, .updateUserPlayedWordsList: .done(type)
        case .fetchNewSecretWord: .word(state.word ?? "")
        case .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase: .energy(type, balance: state.energy)
        case .fetchUserWins, .updateUserWins: .wins(type, count: state.wins)
        case .statNewGameSession: .game(balance: state.energy, word: state.word ?? "")
        }
    }

    /// The answer to a request when the database failed.
    init(_ error: PostgresError, to type: RequestType) { self = .failed(error.errorCode, type: type) }
}

extension PostgresError {
    /// The code for a failed statement.
    var errorCode: ErrorCode {
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
