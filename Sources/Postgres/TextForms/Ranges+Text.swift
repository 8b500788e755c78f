extension PostgresRange where Value: PostgresEncodable {
    /// Writes `[1,5)`, `(,"2024-02-29"]`, `empty`. A bound that is NULL makes the writer fail.
    public func encodeText(to writer: inout ParameterWriter) {
        guard let bounds else { return writer.append(utf8: "empty") }
        if case .inclusive = bounds.lower { writer.append(utf8: "[") } else { writer.append(utf8: "(") }
        Self.encodeBound(bounds.lower, to: &writer)
        writer.append(utf8: ",")
        Self.encodeBound(bounds.upper, to: &writer)
        if case .inclusive = bounds.upper { writer.append(utf8: "]") } else { writer.append(utf8: ")") }
    }

    private static func encodeBound(_ bound: Bound, to writer: inout ParameterWriter) {
        guard let value = bound.value else { return }
        if value.isPostgresNull { writer.fail("NULL as the bound of a range") }
        let text = writer.written { value.encodeText(to: &$0) }
        writer.append(bytes: text.quoted(escape: UInt8(ascii: "\"")))
    }
}

extension PostgresRange where Value: PostgresEncodable & PostgresDecodable {
    /// Reads what `range_out` writes.
    ///
    /// - Throws: `.malformed`, or what a bound throws.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        var rest = Array(text.utf8)[...]
        self = try Self(textIn: &rest)
        guard rest.isEmpty else { throw .malformed }
    }

    /// Reads a range from the front of a text, and removes it.
    fileprivate init(textIn rest: inout ArraySlice<UInt8>) throws(PostgresDecodingError.Reason) {
        guard !rest.starts(with: "empty".utf8) else {
            rest.removeFirst(5)
            self = .empty
            return
        }
        func bound(_ isInclusive: Bool, _ text: [UInt8]?) throws(PostgresDecodingError.Reason) -> Bound {
            guard let text else { return .unbounded }
            let value = try Value(postgresText: String(decoding: text, as: UTF8.self))
            return isInclusive ? .inclusive(value) : .exclusive(value)
        }
        guard let begin = rest.popFirst(), begin == UInt8(ascii: "[") || begin == UInt8(ascii: "("),
            case let first = Self.boundText(&rest), rest.popFirst() == UInt8(ascii: ","),
            case let second = Self.boundText(&rest), let end = rest.popFirst(),
            end == UInt8(ascii: "]") || end == UInt8(ascii: ")")
        else { throw .malformed }
        self.init(
            lower: try bound(begin == UInt8(ascii: "["), first), upper: try bound(end == UInt8(ascii: "]"), second))
    }

    /// A bound without its quotes; `nil`: there is none. Ends before a comma or a bracket.
    private static func boundText(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        var (isQuoted, hasQuotes) = (false, false)
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\\"):
                rest.removeFirst()
                if let next = rest.popFirst() { text.append(next) }
            case UInt8(ascii: "\""):
                rest.removeFirst()
                // Two of them are one.
                if isQuoted, rest.first == byte {
                    text.append(rest.removeFirst())
                } else {
                    isQuoted.toggle()
                    hasQuotes = true
                }
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: ")"):
                guard isQuoted else { return text.isEmpty && !hasQuotes ? nil : text }
                fallthrough
            default: text.append(rest.removeFirst())
            }
        }
        return nil
    }
}

extension PostgresMultirange where Value: PostgresEncodable {
    /// Writes `{[1,3),[7,9)}`.
    public func encodeText(to writer: inout ParameterWriter) {
        writer.append(utf8: "{")
        for (index, range) in ranges.enumerated() {
            if index > 0 { writer.append(utf8: ",") }
            range.encodeText(to: &writer)
        }
        writer.append(utf8: "}")
    }
}

extension PostgresMultirange where Value: PostgresEncodable & PostgresDecodable {
    /// Reads what `multirange_out` writes.
    ///
    /// - Throws: `.malformed`, or what a bound throws.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else { throw .malformed }
        var ranges: [PostgresRange<Value>] = []
        while !rest.isEmpty {
            ranges.append(try PostgresRange(textIn: &rest))
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ",") && !rest.isEmpty else { throw .malformed }
        }
        self.init(ranges)
    }
}
