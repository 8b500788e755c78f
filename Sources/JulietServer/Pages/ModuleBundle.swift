/// Joins the modules of a page into one, so that a browser asks once and not for each of them.
///
/// The modules are ours, and written for it: each imports by `import { a, b } from "./other.js";` on a line of its own, and exports
/// functions, classes and constants where it declares them; none imports itself through others. In the joined text each
/// is a block of its own, after those that it imports, so names of two modules do not meet. What is imported by
/// `import(…)`, the texts of a language, stays a file.
enum ModuleBundle {
    /// The text of a module and of all that it needs.
    ///
    /// - Parameters:
    ///   - name: The module that the page begins with.
    ///   - sources: The modules by their names.
    static func text(of name: String, from sources: [String: String]) -> String {
        var joined: [String] = []
        var done: Set<String> = []
        add(name, from: sources, after: [], to: &joined, &done)
        return joined.joined(separator: "\n")
    }

    private static func add(
        _ name: String, from sources: [String: String], after importers: [String], to joined: inout [String],
        _ done: inout Set<String>
    ) {
        precondition(!importers.contains(name), "\(name) imports itself")
        guard done.insert(name).inserted else { return }
        guard let source = sources[name] else { preconditionFailure("\(name) is not here") }
        var lines: [Substring] = []
        var exports: [Substring] = []
        for line in source.split(separator: "\n") {
            // Most lines are neither, and a look at their beginning costs less than an expression.
            if line.hasPrefix("import {"), let match = line.wholeMatch(of: /import (\{.*\}) from "\.\/(.+)";/) {
                let other = String(match.2)
                add(other, from: sources, after: importers + [name], to: &joined, &done)
                lines.append("const \(match.1) = \(variable(of: other));")
            } else if line.hasPrefix("export "),
                let match = line.prefixMatch(of: /export ((?:async )?(?:function|class|const) ([\w$]+))/)
            {
                exports.append(match.2)
                lines.append(match.1 + line[match.range.upperBound...])
            } else if !isRemark(line) {
                lines.append(line)
            }
        }
        joined += ["const \(variable(of: name)) = {};", "{"] + lines.map(String.init)
        joined += ["Object.assign(\(variable(of: name)), { \(exports.joined(separator: ", ")) });", "}"]
    }

    /// A line that only people read. In a comment of several lines, which begins with `/**` here, each begins with a star.
    private static func isRemark(_ line: Substring) -> Bool {
        let text = line.drop { $0 == " " }
        return text == "*" || ["//", "/**", "* ", "*/"].contains { text.hasPrefix($0) }
    }

    /// The variable that holds what a module exports.
    private static func variable(of name: String) -> String {
        "module_" + name.dropLast(".js".count).replacing("-", with: "_")
    }
}
