#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The settings file: a JSON object of objects, in which comments and trailing commas are allowed (JSON5).
package struct SettingsFile: Sendable, Equatable {
    /// The file's path, for messages.
    package let path: String
    /// The values by their keys, with dots, as people write them: an empty list is an empty text, as in a variable.
    let values: [String: String]

    /// Reads a file.
    ///
    /// - Throws: ``SettingsError`` when it cannot be read or is no such JSON.
    package init(path: String) throws(SettingsError) {
        let text: String
        do { text = try readTextFile(path) } catch { throw SettingsError("cannot read \(path): \(error)") }
        try self.init(path: path, text: text)
    }

    /// Reads a file's text.
    package init(path: String, text: String) throws(SettingsError) {
        self.path = path
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let node: Node
        do {
            node = try decoder.decode(Node.self, from: Data(text.utf8))
        } catch {
            let fault = JSON5Fault(in: text)
            let place = fault.map { ":\($0.line):\($0.column)" } ?? ""
            throw SettingsError(
                "\(path)\(place): not valid JSON (comments and trailing commas are allowed)\(fault.map { ": \($0.reason)" } ?? "")"
            )
        }
        guard case .object(let members) = node else { throw SettingsError("\(path): expected a JSON object") }
        var values: [String: String] = [:]
        try Self.flatten(members, prefix: "", path: path, into: &values)
        self.values = values
    }

    private static func flatten(
        _ members: [String: Node],
        prefix: String,
        path: String,
        into values: inout [String: String]
    ) throws(SettingsError) {
        for (name, node) in members {
            let key = prefix + name
            switch node {
            case .object(let members): try flatten(members, prefix: key + ".", path: path, into: &values)
            case .text(let text): values[key] = text
            case .list(let items): values[key] = items.joined(separator: ",")
            case .other:
                throw SettingsError(
                    "\(path): \(key) must be a string, a whole number, true, false or a list of strings")
            }
        }
    }

    private enum Node: Decodable {
        case object([String: Node])
        case text(String)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Name.self) {
                var object: [String: Node] = [:]
                for name in members.allKeys { object[name.stringValue] = try members.decode(Node.self, forKey: name) }
                self = .object(object)
                return
            }
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let number = try? value.decode(Int.self) {
                self = .text(String(number))
            } else if let truth = try? value.decode(Bool.self) {
                self = .text(String(truth))
            } else if let list = try? value.decode([String].self) {
                self = .list(list)
            } else {
                self = .other
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The text of a file in UTF-8.
///
/// - Throws: ``SettingsError`` with the system's words for a file that is not there or may not be read.
package func readTextFile(_ path: String) throws -> String {
    // Foundation's own error is a page long.
    guard access(path, R_OK) == 0 else { throw SettingsError(String(cString: strerror(errno))) }
    return try String(contentsOfFile: path, encoding: .utf8)
}

/// The bytes of a file.
///
/// - Throws: ``SettingsError`` with the system's words for a file that is not there or may not be read.
package func readBinaryFile(_ path: String) throws -> [UInt8] {
    guard access(path, R_OK) == 0 else { throw SettingsError(String(cString: strerror(errno))) }
    do { return try Array(Data(contentsOf: URL(filePath: path))) } catch {
        throw SettingsError("it is not a readable file")
    }
}
