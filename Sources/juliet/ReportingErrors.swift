import ArgumentParser

/// Turns an error into its message on standard error and exit status 1.
func reportingErrors(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch {
        Terminal.note("error: \(error)")
        throw ExitCode.failure
    }
}
