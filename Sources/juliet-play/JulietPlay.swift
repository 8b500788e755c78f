import ArgumentParser
import JulietPlay
import PlayOptions

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The game in a terminal; `juliet play` becomes this program.
@main
struct JulietPlay: AsyncParsableCommand {
    static let configuration = PlayOptions.configuration(commandName: "juliet-play", program: "juliet-play")

    @OptionGroup var options: PlayOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let service = try options.serviceURL()
        let folder = try PlayFolder(service: service, player: options.player, environment: environment)
        let repository = try await ClientRepository(folder: folder, service: service, key: options.key)
        let hasColours = !options.noColor && environment["NO_COLOR", default: ""].isEmpty
        let session = PlaySession(repository: repository, list: try guessList(), hasColours: hasColours) {
            UUID().uuidString
        }
        let end = try await session.run(term: environment["TERM"])
        if let farewell = end.farewell { print(farewell) }
        if let signal = end.signal { TerminalMode.end(by: signal) }
    }

    /// The words of `--words`, or of the list that comes with the program; where there is none, anything goes.
    private func guessList() throws -> GuessList {
        if let words = options.words {
            guard let list = GuessList(path: words) else { throw ValidationError("--words \(words) cannot be read") }
            return list
        }
        let name = "config/words/english-guessable.txt"
        let program = Self.executable?.deletingLastPathComponent()
        let places = [
            program?.appending(path: "../share/juliet/\(name)").standardized.path, name,
        ].compactMap { $0 }
        return places.lazy.compactMap { GuessList(path: $0) }.first ?? GuessList()
    }

    private static var executable: URL? {
        #if os(Linux)
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map { URL(filePath: $0) }
        #else
            Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
    }
}
