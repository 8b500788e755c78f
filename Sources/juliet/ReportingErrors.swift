import ArgumentParser
import JulietServer

extension ExitCode {
    /// The settings are wrong: EX_CONFIG of sysexits.h. packaging/juliet@.service does not start the service again after it.
    static let wrongSettings = ExitCode(78)
}

/// Turns an error into its message on standard error and exit status 1.
///
/// - Parameter wrongSettings: The exit status for settings that are wrong.
func reportingErrors(wrongSettings: ExitCode = .failure, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch let error as SettingsError {
        Terminal.note("error: \(error)")
        throw wrongSettings
    } catch {
        Terminal.note("error: \(error)")
        throw ExitCode.failure
    }
}
