import Crypto
import Migrations
import StrictEncoding

/// The objects that a database must have, in the form in which its catalogs are compared: names and digests.
struct SchemaPromises: Sendable {
    /// "the function add_win", "the key users_pkey", "the column users.id", with repetitions where functions share a name.
    let names: [String]
    /// The digest of each definition, in the order of ``names``.
    let digests: [String]
    /// The checksum of the functions and rights, which who asks for it asks for together with the rest.
    let codeChecksum: String
    /// The tables that hold the game's records.
    let tables: [String]
    /// The signatures of the functions that the service's role may call.
    let callable: [String]
    /// The tables and columns that the role may read: `words`, `users.id`.
    let readable: [String]

    /// - Parameters:
    ///   - code: The functions and rights.
    ///   - migrations: The functions that indexes need.
    ///   - catalog: A server's output about tables, keys and triggers: `schema/catalog.txt`.
    init(code: SchemaCode, migrations: [Migration], catalog: String) {
        let functions = code.functions.compactMap(\.function) + FunctionDefinition.made(by: migrations)
        var promises = functions.map { (name: "the function \($0.name)", definition: Self.definition(of: $0)) }
        for line in catalog.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            let definition = line[colon.upperBound...].filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
            promises.append((String(line[..<colon.lowerBound]), definition))
        }
        codeChecksum = code.checksum
        names = promises.map(\.name)
        digests = promises.map { Self.digest($0.definition) }
        let columns = names.compactMap { name in
            name.hasPrefix("the column ") ? name.dropFirst("the column ".count).split(separator: ".").first : nil
        }
        tables = Set(columns.map(String.init)).sorted()
        callable = code.functions.filter { !$0.callers.isEmpty }.compactMap { $0.function?.signature }
        readable = code.rights.filter { $0.privilege == "select" }.flatMap { right in
            right.columns.isEmpty ? [right.subject] : right.columns.map { "\(right.subject).\($0)" }
        }
    }

    /// The same text as `FindFaults` makes from `pg_proc`.
    private static func definition(of function: FunctionDefinition) -> String {
        var parts = [
            function.argumentTypes.joined(separator: ", "), function.language, String(function.volatility),
            function.isStrict ? "t" : "f", function.isSecurityDefiner ? "t" : "f",
        ]
        if !function.settings.isEmpty { parts.append(function.settings.joined(separator: " ")) }
        return (parts + ["t", function.body]).joined(separator: " ")
    }

    private static func digest(_ definition: String) -> String {
        let text = definition.replacing("juliet.", with: "")
        return Hexadecimal.encode(SHA256.hash(data: Array(text.utf8)).prefix(8))
    }
}
