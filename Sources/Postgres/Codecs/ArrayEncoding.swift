// The binary form of an array (`array_recv`): the number of dimensions, 1 if there is a NULL, the type of the elements;
// for each dimension its length and its first index; then each element's length, -1 for NULL, and its bytes. An array
// without elements has no dimensions.

extension PostgresEncodable {
    /// Writes an array of these: of one dimension, or of one more than the values have if they are arrays.
    ///
    /// Arrays in an array must be of the same lengths, as PostgreSQL knows no others, and cannot be NULL: the writer
    /// fails else.
    @inlinable
    public static func encodeArray(_ values: [Self], to writer: inout ParameterWriter) {
        let type = postgresArrayType
        let start = writer.bytes.count
        if values.isEmpty || type != postgresType {
            writer.appendArrayHeader(
                count: values.count, hasNull: values.contains { $0.isPostgresNull },
                element: type.element ?? postgresType)
            for value in values {
                if value.isPostgresNull {
                    writer.append(Int32(-1))
                } else {
                    writer.appendCounted { value.encode(to: &$0) }
                }
            }
        } else {
            for value in values {
                guard !value.isPostgresNull else { return writer.fail("NULL instead of an array within an array") }
                let last = writer.bytes.count
                value.encode(to: &writer)
                guard writer.joinArray(at: last, toArrayAt: start, count: values.count) else { return }
            }
        }
    }
}

extension ParameterWriter {
    /// Where an array's dimensions begin, counted from its first byte.
    private static let dimensionsOffset = 12

    /// Begins an array of at most one dimension.
    @usableFromInline
    mutating func appendArrayHeader(count: Int, hasNull: Bool, element: PostgresType) {
        append(Int32(count == 0 ? 0 : 1))
        append(Int32(hasNull ? 1 : 0))
        append(element.oid)
        guard count > 0 else { return }
        append(Int32(truncatingIfNeeded: count))
        append(Int32(1))
    }

    /// Makes the array at the end the next part of an array of arrays before it.
    ///
    /// - Parameters:
    ///   - last: Where the array at the end begins.
    ///   - start: Where the array of arrays begins. It begins as its first part, which is then `last`.
    ///   - count: How many parts it will have.
    /// - Returns: `false` if that is no array, or not of the lengths of the first part. The writer has failed then.
    @usableFromInline
    mutating func joinArray(at last: Int, toArrayAt start: Int, count: Int) -> Bool {
        guard let header = arrayHeader(at: last) else {
            fail("an array of a type that has no array type")
            return false
        }
        guard last != start else {
            guard !header.isEmpty else { return true }
            replace(at: start, with: Int32(header.count / 8 + 1))
            var dimension = ParameterWriter()
            dimension.append(Int32(truncatingIfNeeded: count))
            dimension.append(Int32(1))
            bytes.insert(contentsOf: dimension.bytes.dropFirst(), at: start + Self.dimensionsOffset)
            return true
        }
        // The first part's dimensions come behind the dimension of the whole.
        guard let whole = arrayHeader(at: start), whole.count == (header.isEmpty ? 0 : header.count + 8),
            bytes[whole].suffix(header.count) == bytes[header]
        else {
            fail("arrays of different lengths in an array")
            return false
        }
        if bytes[last + 7] == 1 { replace(at: start + 4, with: 1) }
        bytes.removeSubrange(last..<header.upperBound)
        return true
    }

    /// Where the dimensions of the array at an offset are, eight bytes each.
    private func arrayHeader(at offset: Int) -> Range<Int>? {
        let first = offset + Self.dimensionsOffset
        guard bytes.count >= first else { return nil }
        let count = Int(bytes.span.integer(at: offset, as: Int32.self))
        guard count >= 0, count <= (bytes.count - first) / 8 else { return nil }
        return first..<first + 8 * count
    }
}
