/// Pieces of a page.
enum HTML {
    /// A text, with what stands in backquotes as code.
    static func text(_ text: String) -> String {
        let parts = escape(text).split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map {
            $0.offset.isMultiple(of: 2) ? String($0.element) : "<code>\($0.element)</code>"
        }
        .joined()
    }

    /// A paragraph, or a list whose items begin with a hyphen: as much of Markdown as descriptions need.
    static func markdown(_ text: String) -> String {
        guard text.hasPrefix("- ") else { return text.isEmpty ? "" : "<p>\(self.text(text))</p>" }
        let items = text.split(separator: "\n").map { "<li>\(self.text(String($0.dropFirst(2))))</li>" }
        return "<ul>\(items.joined())</ul>"
    }

    /// Lines of code.
    ///
    /// - Parameter attribute: By which a script finds it.
    static func code(_ text: String, attribute: String = "") -> String {
        "<pre tabindex=\"0\"><code\(attribute.isEmpty ? "" : " \(attribute)")>\(escape(text))</code></pre>"
    }

    /// Lines of JSON.
    static func code(_ json: [UInt8], attribute: String = "") -> String {
        code(String(decoding: json, as: UTF8.self), attribute: attribute)
    }

    /// A path, which may be cut at its slashes where the line ends.
    static func path(_ path: String) -> String {
        escape(path).split(separator: "/").map { "/\($0)" }.joined(separator: "<wbr>")
    }

    /// The name of a place in the page.
    static func anchor(_ title: String) -> String {
        title.lowercased().split(separator: " ").joined(separator: "-")
    }

    /// A table. Rows are HTML already; a narrow screen shows them one below the other.
    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        let head = heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let body = rows.map { "<tr>\($0.map { "<td>\($0)</td>" }.joined())</tr>" }
        return """
            <table class="columns-\(heads.count)"><thead><tr>\(head)</tr></thead><tbody>
            \(body.joined(separator: "\n"))
            </tbody></table>
            """
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
