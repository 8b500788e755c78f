extension PostgresDecodable {
    /// Reads an array of these: of one dimension, or of one more than the values have if they are arrays.
    ///
    /// - Throws: `.type` for a column that is no array, or has more or fewer dimensions; `.malformed`; or what an
    ///   element throws.
    public static func decodeArray(
        _ bytes: Span<UInt8>, type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> [Self] {
        guard type.array == nil, !type.isText else { throw .type(type) }
        let shape = try ArrayShape(bytes)
        guard let count = shape.lengths.first else { return [] }
        var values: [Self] = []
        values.reserveCapacity(count)
        var position = shape.end
        if shape.lengths.count == 1 {
            for _ in 0..<count {
                guard let element = try nextElement(of: bytes, at: &position) else {
                    guard let null = postgresNull else { throw .null }
                    values.append(null)
                    continue
                }
                values.append(try Self(binary: bytes.extracting(element), type: shape.element))
            }
        } else {
            for _ in 0..<count {
                let start = position
                for _ in 0..<shape.elementsOfPart { _ = try nextElement(of: bytes, at: &position) }
                let part = shape.part(of: bytes, elements: start..<position)
                values.append(try Self(binary: part.span, type: type))
            }
        }
        guard position == bytes.count else { throw .malformed }
        return values
    }
}

/// What an array says of itself before its elements (`array_send`).
private struct ArrayShape {
    /// The type of the elements.
    let element: PostgresType
    /// The lengths of the dimensions, the outermost first; none for an array without elements. Their product is at most
    /// a quarter of the bytes.
    let lengths: [Int]

    /// Where the elements begin.
    var end: Int { 12 + 8 * lengths.count }

    /// How many elements an array has that is an element of the outermost dimension.
    var elementsOfPart: Int { lengths.dropFirst().reduce(1, *) }

    init(_ bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) {
        guard bytes.count >= 12 else { throw .malformed }
        let dimensions = Int(bytes.integer(at: 0, as: Int32.self))
        element = PostgresType(oid: bytes.integer(at: 8, as: UInt32.self))
        // MAXDIM of utils/array.h
        guard 0...6 ~= dimensions, bytes.count >= 12 + 8 * dimensions else { throw .malformed }
        var lengths: [Int] = []
        // Each element takes four bytes at least: so no count of theirs makes anybody reserve more than came.
        var room = (bytes.count - 12 - 8 * dimensions) / 4
        for index in 0..<dimensions {
            let length = Int(bytes.integer(at: 12 + 8 * index, as: Int32.self))
            guard length > 0, length <= room else { throw .malformed }
            room /= length
            lengths.append(length)
        }
        self.lengths = lengths
    }

    /// An element of the outermost dimension as an array of its own.
    func part(of bytes: Span<UInt8>, elements: Range<Int>) -> [UInt8] {
        var writer = ParameterWriter()
        writer.append(Int32(lengths.count - 1))
        writer.append(bytes: bytes.extracting(4..<12).copied)
        writer.append(bytes: bytes.extracting(20..<end).copied)
        writer.append(bytes: bytes.extracting(elements).copied)
        return Array(writer.bytes.dropFirst())
    }
}

/// Passes over the next element of an array: where its bytes are; `nil` is NULL.
private func nextElement(
    of bytes: Span<UInt8>, at position: inout Int
) throws(PostgresDecodingError.Reason) -> Range<Int>? {
    guard bytes.count - position >= 4 else { throw .malformed }
    let length = Int(bytes.integer(at: position, as: Int32.self))
    position += 4
    guard length >= 0 else { return nil }
    guard bytes.count - position >= length else { throw .malformed }
    defer { position += length }
    return position..<position + length
}
