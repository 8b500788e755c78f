import Foundation
import JulietAPI
import Testing

/// `docs/openapi.json`, read without any library of ours, and what it says of requests and answers.
struct APIDocument: Sendable {
    let json: JSON
    private let paths: [(segments: [Substring], item: JSON)]

    /// The one that is checked in.
    static let checkedIn: APIDocument = {
        do {
            return try APIDocument(Array(Data(contentsOf: file)))
        } catch {
            Issue.record("docs/openapi.json: \(error)")
            return APIDocument(.missing)
        }
    }()

    /// Where it is.
    static let file = TestDatabase.root
        .appending(path: "docs/openapi.json")

    init(_ text: [UInt8]) throws { self.init(try JSON(text)) }

    private init(_ json: JSON) {
        self.json = json
        paths = json.paths.names.map { (Self.segments($0[...]), json.paths[member: $0]) }
    }

    /// What is said of a method of a URL; missing for what is not described.
    func operation(_ method: String, _ target: String) -> JSON {
        let asked = Self.segments(target.prefix { $0 != "?" })
        let matches = paths.filter { path in
            path.segments.count == asked.count
                && zip(path.segments, asked).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        // An exact path goes first.
        let best = matches.min { left, right in
            left.segments.count { $0.hasPrefix("{") } < right.segments.count { $0.hasPrefix("{") }
        }
        return best?.item[member: method.lowercased()] ?? .missing
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// What an answer is, and the description does not say; empty: all is well.
    func faults(of reply: HTTPReply, to operation: JSON) throws -> [String] {
        var described = operation.responses[member: "\(reply.status)"]
        if described == .missing { return ["status \(reply.status) is not described"] }
        described = resolve(described)
        let media = reply["Content-Type"]?.split(separator: ";").first.map(String.init)
        guard let media, !reply.body.isEmpty else {
            return reply.body.isEmpty && described.content == .missing ? [] : ["there is no body"]
        }
        guard described.content.names.contains(media) else { return ["\(media) is not described"] }
        return faults(of: try JSON(reply.body), by: described.content[member: media].schema)
    }

    /// Where a value is not what a schema says; empty: it is. A member that the schema does not name is a fault as well,
    /// unless it names none.
    func faults(of value: JSON, by schema: JSON, at path: String = "") -> [String] {
        let schema = resolve(schema)
        let alternatives = schema.anyOf.items + schema.oneOf.items
        if !alternatives.isEmpty {
            let faults = alternatives.map { self.faults(of: value, by: $0, at: path) }
            return faults.contains([]) ? [] : faults.first ?? []
        }
        let both = schema.allOf.items
        if !both.isEmpty {
            // The second says more about a member of the first, and nothing of the others.
            return faults(of: value, by: both[0], at: path)
                + both.dropFirst().flatMap { $0.properties.names.sorted() }.flatMap { name in
                    faults(of: value[member: name], by: both[1].properties[member: name], at: "\(path)/\(name)")
                }
        }
        // Of several types the first is not `null`, which no value here is.
        let type = schema.type.items.first?.text ?? schema.type.text
        switch (value, type) {
        case (.object(let members), "object"):
            return faults(of: members, by: schema, at: path)
        case (.array(let elements), "array"):
            let isCounted = schema.minItems == .missing || schema.minItems.int...schema.maxItems.int ~= elements.count
            let counted = isCounted ? [] : ["\(path) has \(elements.count) elements"]
            return elements.enumerated().reduce(into: counted) { faults, element in
                faults += self.faults(of: element.element, by: schema[member: "items"], at: "\(path)/\(element.offset)")
            }
        case (.string(let text), "string"):
            return faults(of: text, by: schema).map { "\(path): \"\(text)\" \($0)" }
        case (.integer(let number), "integer"):
            let isLarge = schema.minimum == .missing || number >= schema.minimum.int
            let isSmall = schema.maximum == .missing || number <= schema.maximum.int
            return isLarge && isSmall ? [] : ["\(path) is \(number)"]
        case (.integer, "number"), (.fraction, "number"), (.boolean, "boolean"):
            return []
        default:
            return ["\(path) is no \(type)"]
        }
    }

    private func faults(of members: [String: JSON], by schema: JSON, at path: String) -> [String] {
        var faults = schema.required.items.filter { members[$0.text] == nil }.map { "\(path)/\($0.text) is missing" }
        guard schema.properties != .missing else { return faults }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let known = schema.properties[member: name]
            faults +=
                known == .missing
                ? ["\(path)/\(name) is not described"] : self.faults(of: value, by: known, at: "\(path)/\(name)")
        }
        return faults
    }

    private func faults(of text: String, by schema: JSON) -> [String] {
        var faults: [String] = []
        if schema.const != .missing, schema.const.text != text { faults.append("is not the constant") }
        if schema.enum != .missing, !schema.enum.items.contains(.string(text)) { faults.append("is no choice") }
        let length = text.unicodeScalars.count
        if schema.minLength != .missing, !(schema.minLength.int...schema.maxLength.int ~= length) {
            faults.append("has \(length) characters")
        }
        if schema.pattern != .missing, (try? Regex(schema.pattern.text).firstMatch(in: text)) == nil {
            faults.append("does not match")
        }
        let isWellFormed =
            switch schema.format.text {
            case "date-time": V2.Timestamp(text) != nil
            case "date": V2.Day(text) != nil
            case "uuid": UUID(uuidString: text)?.uuidString.lowercased() == text
            default: true
            }
        return faults + (isWellFormed ? [] : ["is no \(schema.format.text)"])
    }

    private func resolve(_ value: JSON) -> JSON {
        let reference = value[member: "$ref"].text
        guard !reference.isEmpty else { return value }
        return resolve(reference.split(separator: "/").dropFirst().reduce(json) { $0[member: String($1)] })
    }
}

extension JSON {
    /// A member whose name is no name of Swift's.
    fileprivate subscript(member name: String) -> JSON { self[dynamicMember: name] }
}
