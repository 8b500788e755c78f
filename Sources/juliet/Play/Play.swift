import ArgumentParser
import PlayOptions

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `juliet play`: becomes `juliet-play`.
///
/// It is a separate program, because it uses libcurl for HTTP, which the service does not need.
struct Play: AsyncParsableCommand {
    static let configuration = PlayOptions.configuration(commandName: "play", program: "juliet play")

    @OptionGroup var options: PlayOptions

    func run() async throws {
        try await reportingErrors {
            // The arguments after `juliet play`, which have been checked.
            throw Self.becoming("juliet-play", arguments: Array(CommandLine.arguments.dropFirst(2)))
        }
    }

    /// Replaces this program by another that lies beside it or in the `PATH`. The terminal stays the same.
    ///
    /// - Returns: Why that did not happen; it returns only then.
    static func becoming(_ name: String, arguments: [String]) -> CommandError {
        var argv = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let beside = Invocation.executable?.deletingLastPathComponent().appending(path: name).path
        if let beside { execv(beside, &argv) }
        let failure = errno
        execvp(name, &argv)
        guard let beside, failure != ENOENT else {
            return CommandError(
                "\(name) is not installed: it must be in the folder of juliet or in the PATH. scripts/build builds both. "
                    + "The service's image does not have it: `docker build --target play` makes one that does")
        }
        return CommandError("cannot run \(beside): \(String(cString: strerror(failure)))")
    }
}
