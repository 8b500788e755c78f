import JulietAPI

/// Appends values as bytes: integers little-endian, texts and byte strings behind their length.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func data(_ value: [UInt8]) {
        integer(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func text(_ value: String) {
        let units = value.utf8
        integer(UInt32(units.count))
        bytes.append(contentsOf: units)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        integer(UInt8(value == nil ? 0 : 1))
        if let value { write(&self, value) }
    }

    mutating func list<Values: Collection>(_ values: Values, _ write: (inout ByteWriter, Values.Element) -> Void) {
        integer(UInt32(values.count))
        for value in values { write(&self, value) }
    }
}

/// Reads what a `ByteWriter` wrote.
struct ByteReader {
    /// The bytes end early, or hold an impossible value.
    struct Failure: Error {}

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether nothing is left to read.
    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) throws(Failure) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard bytes.endIndex - position >= size else { throw Failure() }
        let value = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: position - bytes.startIndex, as: Integer.self)
        }
        position += size
        return Integer(littleEndian: value)
    }

    mutating func data() throws(Failure) -> [UInt8] { Array(try slice()) }

    mutating func text() throws(Failure) -> String {
        let units = try slice()
        guard let text = String(wellFormed: units) else { throw Failure() }
        return text
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        try integer(UInt8.self) == 0 ? nil : try read(&self)
    }

    mutating func list<Value>(_ read: (inout ByteReader) throws(Failure) -> Value) throws(Failure) -> [Value] {
        let count = try integer(UInt32.self)
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    private mutating func slice() throws(Failure) -> ArraySlice<UInt8> {
        let count = Int(try integer(UInt32.self))
        guard bytes.endIndex - position >= count else { throw Failure() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
