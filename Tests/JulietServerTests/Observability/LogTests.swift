import JulietAPI
import Logging
import Testing

@testable import JulietServer

@Suite("The log")
struct LogTests {
    private static func line(
        _ message: String, _ level: Logger.Level = .error, _ metadata: Logger.Metadata = [:]
    ) -> LogLine {
        LogLine(
            time: V2.Timestamp(microsecondsSince1970: 0), level: level, message: message,
            metadata: metadata)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a line is one line, for people and as JSON, whatever stands in it")
    func lines() {
        let plain = Self.line("request", .debug, ["route": "/v2/games", "status": .stringConvertible(201)])
        #expect(
            Self.text(plain.text()) == "1970-01-01T00:00:00.000000Z debug    request route=/v2/games status=201\n")
        #expect(
            Self.text(plain.json())
                == #"{"time":"1970-01-01T00:00:00.000000Z","level":"debug","message":"request","route":"/v2/games","status":201}"#
                + "\n")
        let hostile = Self.line("a\nb\u{1B}[2J", .error, ["x": "\"\r\n\" y"])
        #expect(
            Self.text(hostile.text())
                == "1970-01-01T00:00:00.000000Z error    a\\u{a}b\\u{1b}[2J x=\"\\\"\\u{d}\\u{a}\\\" y\"\n")
        #expect(
            Self.text(hostile.json())
                == #"{"time":"1970-01-01T00:00:00.000000Z","level":"error","message":"a\u000ab\u001b[2J","x":"\"\u000d\u000a\" y"}"#
                + "\n")
    }

    @Test("a value in quotes ends where it seems to, whatever quotes and backslashes it has")
    func quotes() {
        func shown(_ value: String) -> String {
            let text = Self.text(Self.line("a", .error, ["x": "\(value)"]).text())
            return text.replacing("1970-01-01T00:00:00.000000Z error    a x=", with: "")
        }
        #expect(shown(#"b" status=200 y="c"#) == #""b\" status=200 y=\"c""# + "\n")
        #expect(shown(#"b \" y=c"#) == #""b \\\" y=c""# + "\n")
        // A mark on a quote is no other character than the quote before it.
        #expect(shown("\"\u{301} y") == "\"\\\"\u{301} y\"\n")
        #expect(shown(#"C:\d"#) == #"C:\d"# + "\n")
    }

    @Test(
        "characters that turn text round, hide in it or break lines are shown by their numbers",
        arguments: [0x202E, 0x2066, 0x200B, 0xFEFF, 0xAD, 0x85, 0x9B, 0x2028, 0x2029, 0xE0041] as [UInt32])
    func formats(number: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(number))
        let text = Self.text(Self.line("a\(scalar)b", .error, ["x": "\(scalar)"]).text())
        let shown = "\\u{\(String(number, radix: 16))}"
        #expect(text == "1970-01-01T00:00:00.000000Z error    a\(shown)b x=\"\(shown)\"\n")
    }

    @Test("the same failure is written at once, then once a second with the count of those in between")
    func repeats() {
        var limiter = RepeatLimiter()
        var written: [String] = []
        // A thousand a second for three seconds, and silence.
        for millisecond in 0..<6000 {
            let now = millisecond * 1_000_000
            for line in limiter.due(at: now) { written.append("\(millisecond): \(line.message) \(line.repeats)") }
            guard millisecond < 3000 else { continue }
            if limiter.lets(Self.line("no database"), through: now) { written.append("\(millisecond): no database") }
        }
        #expect(
            written == [
                "0: no database", "1000: no database 999", "2000: no database 1000", "3000: no database 1000",
            ])
        #expect(limiter.nextDue == nil)
        let isThrough = limiter.lets(Self.line("no database"), through: 7_000_000_000)
        #expect(isThrough)
    }

    @Test("different failures are told apart, only failures are held back, and memory is bounded")
    func differences() {
        var limiter = RepeatLimiter()
        func through(_ lines: LogLine..., at now: Int) -> Int { lines.count { limiter.lets($0, through: now) } }
        #expect(through(Self.line("request", .debug), Self.line("request", .debug), at: 0) == 2)
        #expect(through(Self.line("a"), Self.line("b"), at: 0) == 2)
        #expect(through(Self.line("a"), Self.line("b"), at: 1) == 0)
        for number in 0..<10_000 { #expect(through(Self.line("\(number)"), at: 2) == 1) }
        let due = limiter.due(at: 2_000_000_000)
        #expect(due.count == 2)
    }

    @Test("the level goes step by step, and stops at both ends")
    func level() {
        let level = LogLevel(.info)
        level.more()
        #expect(level.now == .debug)
        for _ in 0..<9 { level.more() }
        #expect(level.now == .trace)
        for _ in 0..<9 { level.less() }
        #expect(level.now == .critical)
    }

    @Test("a player is ten digits of a salted hash: the same for the same salt, never the account id")
    func digest() {
        let (player, other) = ("6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231", "6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1232")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        func log(_ salt: String?) -> RequestLog {
            var settings = LogSettings()
            settings.salt = salt
            return RequestLog(logger, settings)
        }
        let digest = log("salt").digest(player)
        #expect(digest.count == 10)
        #expect(digest.allSatisfy { $0.isHexDigit })
        #expect(digest == log("salt").digest(player))
        #expect(
            Set([digest, log("salt").digest(other), log("pepper").digest(player), log(nil).digest(player)]).count == 4)
        #expect(log(nil).digest(player) != log(nil).digest(player))
    }

    @Test(
        "a traceparent is read as the recommendation says",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-will-be-like", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.x", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0", false), ("", false),
            (
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                false
            ),
        ])
    func traceParent(text: String, isOne: Bool) {
        #expect((TraceParent(text)?.traceID == "0af7651916cd43dd8448eb211c80319c") == isOne)
        guard let response = TraceParent(text)?.response else { return }
        #expect(response.wholeMatch(of: #/00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00/#) != nil)
    }
}
