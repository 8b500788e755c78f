public import HTTPServer
public import HTTPTypes

extension HTTPFields {
    /// The same field lines in the same order; several of one name stay several.
    ///
    /// Values are bytes in both types and stay the same bytes: nothing is decoded, neither as UTF-8 nor as ISO 8859-1
    /// (RFC 9110 §5.5). `HTTPField.value` reads them as UTF-8, with U+FFFD for what is none;
    /// `HTTPField.withUnsafeBytesOfValue` has them as they are. Names keep their case. Blanks around a value go, which only
    /// headers made by hand can have. A `Cookie` line stays one line.
    ///
    /// - Throws: `HTTPTypesError.tooManyFields`.
    public init(_ headers: Headers) throws(HTTPTypesError) {
        try self.init(headers, withoutHost: false)
    }

    init(_ headers: Headers, withoutHost: Bool) throws(HTTPTypesError) {
        guard headers.count < UInt16.max else { throw .tooManyFields }
        self.init()
        reserveCapacity(headers.count)
        headers.forEachLine { name, value in
            // A name in headers is a token, so there is always one.
            guard let name = HTTPField.Name(name), !withoutHost || name.canonicalName != "host" else { return }
            // `HTTPField` would try the same, by a way that costs 800 instructions more.
            if let text = try? UTF8Span(validating: value.span) {
                append(HTTPField(name: name, value: String(copying: text)))
            } else {
                append(HTTPField(name: name, value: value))
            }
        }
    }
}

extension Headers {
    /// The same field lines in the same order; several of one name stay several.
    ///
    /// Values are bytes in both types and stay the same bytes, see `HTTPFields.init(_:)`; but control characters, which
    /// `HTTPField.init(name:lenientValue:)` lets through, become blanks (RFC 9110 §5.5). `indexingStrategy` is lost: it is
    /// HTTP/2's.
    ///
    /// - Throws: `HTTPTypesError.pseudoField`.
    public init(_ fields: HTTPFields) throws(HTTPTypesError) {
        try self.init(fields, host: nil)
    }

    /// The same, behind a `Host` line that takes the place of those among the fields.
    init(_ fields: HTTPFields, host: String?) throws(HTTPTypesError) {
        var size = host.map { $0.utf8.count + 4 } ?? 0
        for field in fields { size += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } }
        self.init(lines: fields.count + 1, bytes: size)
        if let host { append("Host", host) }
        for field in fields where host == nil || field.name.canonicalName != "host" {
            let isToken = field.withUnsafeBytesOfValue { append(field.name.rawName, $0.span) }
            guard isToken else { throw .pseudoField }
        }
    }
}
