/// One event of a stream (HTML, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event; `message` by default.
    public var type: String
    /// The data; lines are separated by line feeds.
    public var data: String
    /// The last event id of the stream; empty: none.
    public var lastEventID: String

    /// Describes an event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Reads events from the bytes of a stream, however they are split (HTML, "Parsing an event stream").
public struct ServerSentEventParser: Sendable {
    /// How much an unfinished event may hold, in bytes.
    public static let maximumSize = 1 << 20

    /// An event that is larger than that.
    public struct TooLarge: Error, Hashable {}

    private var line: [UInt8] = []
    private var isFirstLine = true
    private var endedWithCarriageReturn = false
    private var type = ""
    private var data: [String] = []
    private var size = 0
    private var lastEventID = ""

    /// Begins a stream.
    public init() {}

    /// Takes more bytes.
    ///
    /// - Returns: The events that end in them.
    /// - Throws: `TooLarge`; then the stream cannot be used any more.
    public mutating func events(in bytes: some Sequence<UInt8>) throws(TooLarge) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let isSecondOfPair = endedWithCarriageReturn && byte == UInt8(ascii: "\n")
            endedWithCarriageReturn = byte == UInt8(ascii: "\r")
            if isSecondOfPair { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                size += 1
                guard size <= Self.maximumSize else { throw TooLarge() }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        defer { line = [] }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "event": type = text
        case "data": data.append(text)
        case "id" where !value.contains(0): lastEventID = text
        // A comment, the retry time, or an unknown field.
        default: size -= line.count
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            type = ""
            data = []
            size = 0
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"), lastEventID: lastEventID)
    }
}
