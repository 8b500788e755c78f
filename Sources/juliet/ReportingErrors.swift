import ArgumentParser
import JulietServer
import Postgres

/// Turns an error into its message on standard error and its exit status.
///
/// - Parameter wrongSettings: The exit status for settings that are wrong, but for flags.
func reportingErrors(wrongSettings: ExitCode = .failure, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch {
        Terminal.note("error: \(operatorMessage(of: error))")
        throw ExitCode(after: error, wrongSettings: wrongSettings)
    }
}

/// What commands print of an error. If it is the database's: what the server or libpq says.
func operatorMessage(of error: any Error) -> String {
    guard let error = error as? PostgresError else { return "\(error)" }
    return error.operatorMessage ?? error.description
}

extension ExitCode {
    /// The settings are wrong: EX_CONFIG of sysexits(3). packaging/juliet@.service does not start the service again after it.
    static let wrongSettings = ExitCode(78)

    /// The exit status of a command that fails: 64 (EX_USAGE, sysexits(3)) if it was typed wrong, otherwise 1.
    ///
    /// - Parameter wrongSettings: The exit status for settings that are wrong, but for flags.
    init(after error: any Error, wrongSettings: ExitCode = .failure) {
        switch error {
        case let error as SettingsError: self = error.isUsage ? .validationFailure : wrongSettings
        case is ValidationError: self = .validationFailure
        default: self = .failure
        }
    }
}
