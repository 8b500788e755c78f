import ArgumentParser
import JulietGame

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `juliet game verify`
struct GameVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that a game's word was fixed before the first guess.",
        usage: """
            juliet game verify <file> [--commitment <hex>]
            juliet game verify --commitment <hex> --salt <hex> --secret <word>
            """,
        discussion: """
            When a game of /v2 or a day begins, the service shows a commitment: the SHA-256 of a salt, a \
            colon and the word. When it is over, the service reveals the salt and the word. This command \
            computes the SHA-256 again and marks each guess again. If everything matches, the word was not \
            changed during the game, and every mark was right.

            The file holds a game or a day as /v2 answers it; - is standard input. Note the commitment when \
            you begin, and give it with --commitment. A commitment that you see only at the end proves \
            nothing.

            Exit status: 0 everything matches, 1 something does not, 2 it cannot be decided: the game is not \
            over, or the file holds no game; 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("A game or a day, as JSON.", valueName: "file")) var path: String?
    @Option(help: ArgumentHelp("The commitment shown at the beginning: 64 hex digits.", valueName: "hex"))
    var commitment: String?
    @Option(help: ArgumentHelp("The salt shown at the end: 32 hex digits.", valueName: "hex")) var salt: String?
    @Option(help: ArgumentHelp("The word.", valueName: "word")) var secret: String?

    func validate() throws {
        if path != nil {
            guard salt == nil, secret == nil else {
                throw ValidationError("the file has the salt and the word: give neither --salt nor --secret")
            }
        } else if commitment == nil || salt == nil || secret == nil {
            throw ValidationError("give a file, - for standard input, or --commitment, --salt and --secret")
        }
        if commitment?.wholeMatch(of: #/[0-9A-Fa-f]{64}/#) == nil, commitment != nil {
            throw ValidationError("--commitment must have 64 hex digits")
        }
        if salt?.wholeMatch(of: #/[0-9A-Fa-f]{32}/#) == nil, salt != nil {
            throw ValidationError("--salt must have 32 hex digits")
        }
    }

    func run() async throws {
        do {
            Terminal.print(GameReport.fits(try GameProof.check(try proofs(), noted: commitment?.lowercased())))
        } catch let failure as GameProof.Failure {
            switch failure {
            case .doesNotFit(let what):
                Terminal.print("does not match: \(what)")
                throw ExitCode.failure
            case .notOver:
                Terminal.note("error: the game is not over: its word is still secret")
                throw GameVerify.unknown
            }
        } catch {
            Terminal.note("error: \(error)")
            throw GameVerify.unknown
        }
    }

    /// Whether the service played fair cannot be decided.
    private static let unknown = ExitCode(2)

    private func proofs() throws -> [GameProof] {
        if let commitment, let salt, let secret {
            return [
                GameProof(
                    commitment: commitment.lowercased(), salt: salt.lowercased(), secret: secret.lowercased())
            ]
        }
        let path = path ?? "-"
        let bytes = try InputFile.contents(of: path)
        guard let answer = try? JSONDecoder().decode(GameProof.Answer.self, from: Data(bytes)), !answer.proofs.isEmpty
        else { throw CommandError("\(path) holds neither a game nor a day as /v2 answers them") }
        return answer.proofs
    }
}

/// What `juliet game` prints, as values.
enum GameReport {
    /// `juliet game verify`: what was verified.
    static func fits(_ finding: GameProof.Finding) -> String {
        let word = "matches: the commitment is to \(finding.secret.quoted)"
        return switch finding.guesses {
        case 0: word
        case 1: "\(word), and 1 guess was judged by it"
        case let count: "\(word), and \(count) guesses were judged by it"
        }
    }
}
