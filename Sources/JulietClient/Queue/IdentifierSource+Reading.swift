import JulietAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension IdentifierSource {
    /// The server's name in a response.
    ///
    /// - Returns: Nil: it is missing, or not valid: empty, longer than 512 bytes, or with control characters.
    func value(in response: HTTPResponse) -> String? {
        let value: String? =
            switch self {
            case .header(let name):
                response[header: name]
            case .lastSegment(let name):
                response[header: name].flatMap { field in
                    let path = field.prefix { $0 != "?" && $0 != "#" }
                    return path.split(separator: "/").last.flatMap { PercentEncoding.decode($0.utf8) }
                }
            case .json(let path):
                (try? JSONDecoder().decode(JSONValue.self, from: Data(response.body)))?.text(at: path)
            }
        guard let value, Self.isName(value) else { return nil }
        return value
    }

    /// Whether a text can replace a local identifier.
    static func isName(_ text: String) -> Bool {
        (1...512).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

/// The part of a JSON text that leads to a name.
private enum JSONValue: Decodable {
    case text(String)
    case object([String: JSONValue])
    case other

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Key.self) {
            var object: [String: JSONValue] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(JSONValue.self, forKey: key) }
            self = .object(object)
            return
        }
        guard let value = try? decoder.singleValueContainer() else {
            self = .other
            return
        }
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Int64.self) {
            self = .text(String(number))
        } else if let number = try? value.decode(UInt64.self) {
            self = .text(String(number))
        } else {
            self = .other
        }
    }

    func text(at path: some Collection<String>) -> String? {
        switch self {
        case .text(let text) where path.isEmpty: text
        case .object(let members): path.first.flatMap { members[$0]?.text(at: path.dropFirst()) }
        default: nil
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
