import ArgumentParser
import JulietClient
import JulietPlay
import PlayOptions
import PlayRepository
import PlayUseCase
import PlayView

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
        try TerminalView.check(term: environment["TERM"])
        let hasColours = !options.noColor && environment["NO_COLOR", default: ""].isEmpty
        let end =
            switch try await contract(of: service, environment) {
            case .v2: try await playByV2(service, environment, hasColours: hasColours)
            case .app: try await playByApp(service, environment, hasColours: hasColours)
            }
        if let farewell = end.farewell { print(farewell) }
        if let signal = end.signal { TerminalMode.end(by: signal) }
    }

    private func playByV2(
        _ service: String, _ environment: [String: String], hasColours: Bool
    ) async throws -> PlaySession.Ending {
        let code = try recoveryCode()
        let folder = try DeskFolder(service: service, environment: environment)
        let session = DeskSession(
            repository: ServiceRepository(folder: folder, service: service), hasColours: hasColours,
            hasAppGames: try PlayFolder.hasOwnGames(service: service, environment: environment),
            now: { V2.Timestamp(microsecondsSince1970: WallClock.microseconds) },
            makeKey: { UUID().uuidString })
        return try await session.run(signingInWith: code, term: environment["TERM"])
    }

    private func playByApp(
        _ service: String, _ environment: [String: String], hasColours: Bool
    ) async throws -> PlaySession.Ending {
        let folder = try PlayFolder(service: service, player: options.player, environment: environment)
        let repository = try await ClientRepository(folder: folder, service: service, key: try key())
        let session = PlaySession(repository: repository, list: try guessList(), hasColours: hasColours) {
            UUID().uuidString
        }
        return try await session.run(term: environment["TERM"])
    }

    /// The contract that is asked for, or `/v2` if it was played here before, or what the service has.
    private func contract(of service: String, _ environment: [String: String]) async throws -> PlayOptions.Contract {
        if let contract = options.chosenContract { return contract }
        if try DeskFolder.hasPlayer(service: service, environment: environment) { return .v2 }
        var hasSaid = false
        while true {
            if let isSpoken = await ServiceRepository.isSpoken(at: service) { return isSpoken ? .v2 : .app }
            // The app's contract can be played without network.
            if try PlayFolder.hasOwnGames(service: service, environment: environment) { return .app }
            if !hasSaid { print("\(service) is out of reach. Trying again; Ctrl-C leaves.") }
            hasSaid = true
            try await Task.sleep(for: .seconds(2))
        }
    }

    private func recoveryCode() throws -> String? {
        guard let file = options.recoveryCode else { return nil }
        guard let code = V2.RecoveryCode(try text(of: file, option: "--recovery-code")) else {
            throw ValidationError("--recovery-code \(file) holds no recovery code: it has 20 letters and digits")
        }
        return code.groups
    }

    /// The API key: the first line of the file.
    private func key() throws -> String? {
        guard let file = options.key else { return nil }
        let key = try text(of: file, option: "--key").prefix { !$0.isNewline }
        guard !key.isEmpty else { throw ValidationError("--key \(file) holds no key: write it into the first line") }
        return String(key)
    }

    /// A secret is in a file, because all on the machine see arguments (`ps`).
    private func text(of file: String, option: String) throws -> String {
        guard let contents = FileManager.default.contents(atPath: file) else {
            throw ValidationError("\(option) \(file) cannot be read")
        }
        return String(decoding: contents, as: UTF8.self)
    }

    /// The words of `--words`, or of the list that comes with the program; without a list every guess is allowed.
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
