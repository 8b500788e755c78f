import ArgumentParser
import Dispatch
import JulietGame
import Lottery
import LotteryTerminal
import SystemPackage

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

/// `juliet lottery watch`
struct LotteryWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch draws as they happen, whoever starts them.",
        usage: "juliet lottery watch [--once] [<options>]",
        discussion: """
            On a terminal the draw is one picture that changes. Press Enter to start the next draw, if \
            anybody may start it; type q and press Enter to leave. Elsewhere each state is a line. --json \
            prints each state as a line of JSON, like the events of the page.

            It notes the commitment of a draw before it starts. When the draw is over, it repeats \
            the draw from the seed and the list, and says whether everything matches.
            """)

    @Flag(help: "Leave when a draw is over.") var once = false
    @OptionGroup var options: WordsOptions

    private enum Input: Sendable {
        case state(LotteryViewState)
        case line(String)
        case notice(String?)
    }

    func run() async throws {
        try await options.run { connection in
            let draws = LotteryDraws(connection: connection, actor: SystemUser.actor)
            await watch(LotteryPresenter(LotteryWatch(draws), clock: ContinuousClock()))
        }
    }

    private func watch(_ presenter: LotteryPresenter<ContinuousClock>) async {
        let isOnTerminal = isatty(STDOUT_FILENO) == 1 && !options.json
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await state in presenter { continuation.yield(.state(state)) } }
            let lines =
                isOnTerminal && isatty(STDIN_FILENO) == 1 ? StandardInput { continuation.yield(.line($0)) } : nil
            defer {
                lines?.close()
                group.cancelAll()
            }
            var view = LotteryTerminalView()
            var hasRun = false
            for await input in inputs {
                switch input {
                case .state(let state):
                    view.show(state)
                    if !isOnTerminal {
                        Terminal.print(options.json ? Self.json(state) : LotteryTerminalView.line(of: state))
                    }
                    switch state {
                    case .loading, .round: hasRun = true
                    case .winner, .noWinner:
                        if once, hasRun {
                            if isOnTerminal { Self.draw(view) }
                            return
                        }
                    case .landing, .failure: break
                    }
                case .line(let line):
                    switch view.action(for: line) {
                    case .start(let landing):
                        group.addTask { continuation.yield(.notice(await presenter.start(landing))) }
                    case .leave: return
                    case nil: break
                    }
                case .notice(let notice): view.say(notice)
                }
                if isOnTerminal { Self.draw(view) }
            }
        }
    }

    private static func json(_ state: LotteryViewState) -> String {
        // Numbers and texts can always be written.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// From the top of a blank screen.
    private static func draw(_ view: LotteryTerminalView) {
        let text = "\u{1B}[H\u{1B}[2J" + view.lines.joined(separator: "\n") + "\n"
        _ = try? FileDescriptor.standardOutput.writeAll(text.utf8)
    }
}

/// The lines that somebody types.
private final class StandardInput {
    private let source: any DispatchSourceRead

    /// - Parameter take: Called with each line, and with `q` at the end of the input.
    init(_ take: @escaping @Sendable (String) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "lines"))
        // A terminal delivers whole lines.
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = bytes.withUnsafeMutableBytes { Self.read($0) }
            guard count > 0 else { return take("q") }
            for line in String(decoding: bytes[..<count], as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false
            ).dropLast() { take(String(line)) }
        }
        source.activate()
    }

    func close() { source.cancel() }

    private static func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        (try? FileDescriptor.standardInput.read(into: buffer)) ?? 0
    }
}
