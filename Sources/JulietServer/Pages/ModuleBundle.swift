/// Joins the modules of a page into one, so that a browser sends one request and not one for each of them.
///
/// The modules are Juliet's own, and written for it: each imports by `import { a, b } from "./other.js";` on a line of its own, and exports
/// functions, classes and constants where it declares them; none imports itself through others. In the joined text each
/// is a block of its own, after those that it imports, so names of two modules do not collide.
///
/// A module that is imported by `import("./other.js")`, when it is needed, is a late module: a file of its own, joined with the
/// modules that only it needs. Modules of the page's own file it takes from there, so that each module, and its state, exists
/// once. The texts of a language, whose names are not literals, stay separate files.
struct ModuleBundle {
    /// The module that a page begins with, with all that it needs, and the late modules, by the names of their files.
    let files: [String: String]

    /// Joins the modules of a page.
    ///
    /// - Parameters:
    ///   - entry: The module that the page begins with.
    ///   - sources: The modules by their names.
    init(_ entry: String, from sources: [String: String]) {
        var early: Set<String> = []
        var text: [String] = []
        Self.add(entry, from: sources, after: [], to: &text, &early)
        var waiting = Self.lateModules(of: early, in: sources).sorted()
        if !waiting.isEmpty { text.append("export { \(early.sorted().map(Self.variable).joined(separator: ", ")) };") }
        var files = [entry: text.joined(separator: "\n")]
        var late: Set<String> = []
        while let name = waiting.popLast() {
            guard !early.contains(name), files[name] == nil else { continue }
            var done = early
            var text: [String] = []
            Self.add(name, from: sources, after: [], to: &text, &done)
            let own = done.subtracting(early)
            precondition(
                late.isDisjoint(with: own), "\(own) would be there twice: load what two late modules need late, too")
            late.formUnion(own)
            let taken = early.filter { module in text.contains { $0.hasSuffix(" = \(Self.variable(of: module));") } }
                .sorted()
            if !taken.isEmpty {
                text.insert(
                    "import { \(taken.map(Self.variable).joined(separator: ", ")) } from \"./\(entry)\";", at: 0)
            }
            text.append(
                "export const { \(Self.exports(of: name, in: sources).joined(separator: ", ")) } = \(Self.variable(of: name));"
            )
            files[name] = text.joined(separator: "\n")
            waiting += Self.lateModules(of: own, in: sources).sorted()
        }
        self.files = files
    }

    /// The modules that these load late.
    private static func lateModules(of names: Set<String>, in sources: [String: String]) -> Set<String> {
        Set(
            names.flatMap { name in
                (sources[name] ?? "").matches(of: /\bimport\("\.\/([\w-]+\.js)"\)/).map { String($0.1) }
            })
    }

    /// What a module exports where it declares it.
    private static func exports(of name: String, in sources: [String: String]) -> [Substring] {
        (sources[name] ?? "").split(separator: "\n").compactMap { $0.prefixMatch(of: declaration)?.2 }
    }

    private static var declaration: Regex<(Substring, Substring, Substring)> {
        /export ((?:async )?(?:function|class|const) ([\w$]+))/
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
            // Most lines are neither, and comparing their beginning costs less than a regular expression.
            if line.hasPrefix("import {"), let match = line.wholeMatch(of: /import (\{.*\}) from "\.\/(.+)";/) {
                let other = String(match.2)
                add(other, from: sources, after: importers + [name], to: &joined, &done)
                lines.append("const \(match.1) = \(variable(of: other));")
            } else if line.hasPrefix("export "),
                let match = line.prefixMatch(of: declaration)
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
