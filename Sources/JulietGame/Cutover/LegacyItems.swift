/// Cuts an export of the old backend's table into its items while it is read, one item in memory at a time.
///
/// It accepts what DynamoDB's tools write, one after the other, and recognises it by its first characters: the lines of an
/// export to S3 (one object a line), what `aws dynamodb scan` prints (one document whose `Items` is an array), an array
/// of objects, or objects over several lines (jq's).
package struct LegacyItems: ~Copyable {
    /// One item as it is in the file.
    package struct Item: Sendable {
        /// The line it begins on, from 1.
        package let line: Int
        /// Its bytes; nil when it is larger than the old table's items could be.
        package let bytes: [UInt8]?
    }

    /// What the next byte belongs to.
    private enum Place {
        /// Nothing: a value may begin.
        case outside
        /// An object whose first name is not known yet; the name decides what it is.
        case opening
        /// An item that ends at the end of its line at the latest, so that a broken one does not affect others.
        case line
        /// An item over several lines.
        case object
        /// What `aws dynamodb scan` prints, outside its items.
        case document
        /// An array of items, between them.
        case array
        /// An item of an array.
        case element
        /// An element of an array that is no object.
        case scalar
    }

    /// How many documents of a scan there were.
    package private(set) var pages = 0
    /// How many of them said that the table continues.
    package private(set) var unfinishedPages = 0

    private var place = Place.outside
    private var line = 1
    private var bytes: [UInt8] = []
    private var start = 1
    private var isTooLarge = false
    private var nesting = Nesting()
    /// Whether an object has ended with its line: then all do, so that no broken one is taken for something else.
    private var isLines = false
    /// Whether the array is that of a document.
    private var isInDocument = false
    /// The last name in the document, and whether its value has begun.
    private var name: [UInt8] = []
    private var isValue = false
    private var isUnfinished = false

    /// DynamoDB's items are at most 400 KB; their JSON is a few times that.
    private static let limit = 4 << 20
    /// What the document of a scan may begin with.
    private static let documentNames = [
        "Items", "Count", "ScannedCount", "ConsumedCapacity", "LastEvaluatedKey", "NextToken",
    ]

    /// Begins an export.
    package init() {}

    /// Takes the next piece of the file.
    package mutating func consume(_ piece: [UInt8], item: (Item) throws -> Void) rethrows {
        for byte in piece {
            try take(byte, item)
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    /// Takes the end of the file.
    ///
    /// - Returns: False when it ends in the middle of a document, an array or an object.
    package mutating func finish(item: (Item) throws -> Void) rethrows -> Bool {
        switch place {
        case .outside: return true
        case .line,
            .opening where !bytes.contains(UInt8(ascii: "\n")):
            // An object would have ended with its last brace. Anything else is an item that is refused.
            let isCut = bytes.first == UInt8(ascii: "{")
            if !isCut { try end(item) }
            return !isCut
        case .opening, .object, .document, .array, .element, .scalar: return false
        }
    }

    private mutating func take(_ byte: UInt8, _ item: (Item) throws -> Void) rethrows {
        switch place {
        case .outside: begin(byte)
        case .opening: try open(byte, item)
        case .line:
            guard byte != UInt8(ascii: "\n") else { return try end(item) }
            keep(byte)
            if nesting.closes(with: byte) { try end(item) }
        case .object:
            keep(byte)
            if nesting.closes(with: byte) { try end(item) }
        case .document: pass(byte)
        case .array: beginElement(byte)
        case .element:
            keep(byte)
            if nesting.closes(with: byte) { try end(item) }
        case .scalar:
            let isEnd = [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "\n")].contains(byte)
            guard isEnd, !nesting.isString || byte == UInt8(ascii: "\n") else {
                keep(byte)
                nesting.take(byte)
                return
            }
            try end(item)
            beginElement(byte)
        }
    }

    /// Skips what is between values: blanks, a byte order mark, the commas of lines that were an array.
    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, UInt8(ascii: ","): break
        case UInt8(ascii: "[") where !isLines:
            place = .array
            isInDocument = false
        case UInt8(ascii: "{") where !isLines: begin(.opening, byte)
        default: begin(.line, byte)
        }
    }

    private mutating func begin(_ place: Place, _ byte: UInt8) {
        self.place = place
        start = line
        nesting = Nesting()
        nesting.take(byte)
        keep(byte)
    }

    /// Finds out what an object is.
    private mutating func open(_ byte: UInt8, _ item: (Item) throws -> Void) rethrows {
        if nesting.isString, byte == UInt8(ascii: "\n") {
            isLines = true
            return try end(item)
        }
        keep(byte)
        if isBlank(byte), !nesting.isString { return }
        let wasString = nesting.isString
        if nesting.closes(with: byte) { return try end(item) }
        if nesting.isString { return }
        guard wasString else { return beginLine() }
        let name = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)[1]
        if Self.documentNames.contains(where: { $0.utf8.elementsEqual(name) }) {
            place = .document
            pages += 1
            isUnfinished = false
            self.name = Array(name)
            isValue = false
            bytes.removeAll(keepingCapacity: true)
        } else {
            if bytes.contains(UInt8(ascii: "\n")) { place = .object } else { beginLine() }
        }
    }

    private mutating func beginLine() {
        place = .line
        isLines = true
    }

    /// Skips the document's other members.
    private mutating func pass(_ byte: UInt8) {
        let wasString = nesting.isString
        if nesting.closes(with: byte) {
            if isUnfinished { unfinishedPages += 1 }
            return place = .outside
        }
        guard nesting.depth == 1 || nesting.depth == 2 && byte == UInt8(ascii: "[") else {
            if nesting.depth == 2, byte == UInt8(ascii: "{") { noteValue() }
            return
        }
        if nesting.isString {
            if isValue { return noteValue() }
            if wasString { if name.count < 64 { name.append(byte) } } else { name.removeAll() }
        } else if !wasString {
            switch byte {
            case UInt8(ascii: ":"): isValue = true
            case UInt8(ascii: ","): isValue = false
            case UInt8(ascii: "[") where name.elementsEqual("Items".utf8):
                place = .array
                isInDocument = true
            default: break
            }
        }
    }

    /// A value that is neither a number nor null.
    private mutating func noteValue() {
        if name.elementsEqual("LastEvaluatedKey".utf8) || name.elementsEqual("NextToken".utf8) { isUnfinished = true }
    }

    private mutating func beginElement(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "]") where isInDocument:
            place = .document
            nesting = Nesting(depth: 1)
            isValue = false
        case UInt8(ascii: "]"): place = .outside
        case UInt8(ascii: "{"), UInt8(ascii: "["): begin(.element, byte)
        case UInt8(ascii: ","): place = .array
        default: if isBlank(byte) { place = .array } else { begin(.scalar, byte) }
        }
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) } else { isTooLarge = true }
    }

    private mutating func end(_ item: (Item) throws -> Void) rethrows {
        place = place == .element || place == .scalar ? .array : .outside
        try item(Item(line: start, bytes: isTooLarge ? nil : bytes))
        bytes.removeAll(keepingCapacity: true)
        isTooLarge = false
    }
}

/// How many brackets of JSON are open; those in strings do not count.
private struct Nesting {
    private(set) var depth = 0
    private(set) var isString = false
    private var isEscaped = false

    init(depth: Int = 0) { self.depth = depth }

    mutating func take(_ byte: UInt8) {
        if isString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }

    /// Takes a byte; true when it closes the outermost bracket.
    mutating func closes(with byte: UInt8) -> Bool {
        let before = depth
        take(byte)
        return depth == 0 && before == 1
    }
}
