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
        self.init(linesFor: fields)
        for field in fields { try append(field) }
    }

    /// The fields of a request, behind a `Host` line that takes the place of those among them.
    ///
    /// Several `Cookie` fields, into which swift-http-types and HTTP/2 take a value apart, become one line (RFC 9113 §8.2.3).
    init(ofRequest fields: HTTPFields, host: String?) throws(HTTPTypesError) {
        self.init(linesFor: fields)
        if let host { append("Host", host) }
        var cookies = fields[fields: .cookie]
        for field in fields where host == nil || field.name.canonicalName != "host" {
            guard field.name == .cookie, cookies.count != 1 else {
                try append(field)
                continue
            }
            // At the place of the first one.
            guard !cookies.isEmpty else { continue }
            let values = cookies.map { $0.withUnsafeBytesOfValue { Array($0) } }
            _ = append(field.name.rawName, Array(values.joined(separator: "; ".utf8)).span)
            cookies = []
        }
    }

    private init(linesFor fields: HTTPFields) {
        var size = 0
        for field in fields { size += field.name.rawName.utf8.count + field.withUnsafeBytesOfValue { $0.count } }
        self.init(lines: fields.count + 1, bytes: size)
    }

    private mutating func append(_ field: HTTPField) throws(HTTPTypesError) {
        let isToken = field.withUnsafeBytesOfValue { append(field.name.rawName, $0.span) }
        guard isToken else { throw .pseudoField }
    }
}
