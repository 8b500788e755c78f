import JulietAPI

extension RequestMessage {
    /// The local identifiers it holds anywhere.
    var localIdentifiers: [LocalIdentifier] {
        var found: [LocalIdentifier] = LocalIdentifier.all(in: path.utf8)
        for item in query {
            found += LocalIdentifier.all(in: item.name.utf8) + LocalIdentifier.all(in: item.value.utf8)
        }
        for field in headers { found += LocalIdentifier.all(in: field.value.utf8) }
        if let body { found += LocalIdentifier.all(in: body) }
        var seen: Set<LocalIdentifier> = []
        return found.filter { seen.insert($0).inserted }
    }

    /// Whether path or query has one, which no server can know.
    var hasLocalIdentifierInURL: Bool {
        let texts = [path] + query.flatMap { [$0.name, $0.value] }
        return texts.contains { !LocalIdentifier.places(in: Array($0.utf8)).isEmpty }
    }

    /// The same message with the server's names in place of local ones.
    ///
    /// - Throws: `ClientError` `.unusableIdentifier`: a name cannot stand in a path.
    func replacingLocalIdentifiers(with values: [LocalIdentifier: String]) throws(ClientError) -> RequestMessage {
        guard !values.isEmpty else { return self }
        var message = self
        message.path = text(path, values)
        if message.path != path {
            // A slash would make two segments of one, and a dot another path.
            for local in LocalIdentifier.all(in: path.utf8) {
                guard let value = values[local], !value.contains("/"), value != ".", value != ".." else {
                    throw ClientError(.unusableIdentifier)
                }
            }
        }
        message.query = query.map { QueryItem(text($0.name, values), text($0.value, values)) }
        message.headers = headers.map { HeaderField($0.name, text($0.value, values)) }
        if let body { message.body = replacing(in: body, values, as: bodyEncoding) }
        return message
    }

    /// How a text stands in the body.
    private var bodyEncoding: (String) -> String {
        let type = headers.value(of: "Content-Type")?.lowercased() ?? ""
        // What begins like JSON is JSON, whatever its type says.
        if type.contains("json") || body?.first == UInt8(ascii: "{") || body?.first == UInt8(ascii: "[") {
            return Self.escapedForJSON
        }
        if type.hasPrefix("application/x-www-form-urlencoded") { return { PercentEncoding.encode($0) } }
        return { $0 }
    }

    private func text(_ text: String, _ values: [LocalIdentifier: String]) -> String {
        String(decoding: replacing(in: Array(text.utf8), values, as: { $0 }), as: UTF8.self)
    }

    private func replacing(
        in bytes: [UInt8], _ values: [LocalIdentifier: String], as encoding: (String) -> String
    ) -> [UInt8] {
        let places = LocalIdentifier.places(in: bytes)
        guard !places.isEmpty else { return bytes }
        var result: [UInt8] = []
        var position = 0
        for place in places {
            result += bytes[position..<place.range.lowerBound]
            result += values[place.local].map { Array(encoding($0).utf8) } ?? Array(bytes[place.range])
            position = place.range.upperBound
        }
        return result + bytes[position...]
    }

    private static func escapedForJSON(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
    }
}
