#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON value of an item of the old table.
enum LegacyValue: Decodable {
    case text(String)
    case object([String: LegacyValue])
    case list([LegacyValue])
    case number(Double)
    case flag(Bool)
    case null

    /// Reads one document; nil when it is no JSON.
    init?(json: [UInt8]) {
        guard let value = try? JSONDecoder().decode(LegacyValue.self, from: Data(json)) else { return nil }
        self = value
    }

    // In the order of their frequency: a wrong guess costs an error.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let object = try? container.decode([String: LegacyValue].self) {
            self = .object(object)
        } else if let list = try? container.decode([LegacyValue].self) {
            self = .list(list)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if container.decodeNil() {
            self = .null
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    /// The value without DynamoDB's type around it; nil for null.
    var plain: LegacyValue? {
        if case .null = self { return nil }
        guard case .object(let typed) = self, typed.count == 1, let (type, content) = typed.first else { return self }
        return switch type {
        case "S", "N", "BOOL", "L", "SS", "NS", "M": content
        case "NULL": nil
        default: self
        }
    }
}
