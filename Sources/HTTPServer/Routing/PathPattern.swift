/// Whether a parameter of a path takes a value.
public typealias ParameterForm = @Sendable (String) -> Bool

/// A path with parameters: "/games/{id}/guesses" stands for "/games/7/guesses".
struct PathPattern: Sendable {
    enum Segment: Hashable, Sendable {
        case text(String)
        case parameter(name: String)

        var isText: Bool { if case .text = self { true } else { false } }
    }

    private static let slash = UInt8(ascii: "/")

    /// The parts between the slashes.
    let segments: [Segment]
    /// What the parameters take, by their names; others take every value.
    private let forms: [String: ParameterForm]

    /// Whether there are parameters in a path.
    static func isPattern(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "{")) }

    /// Parses a path. A brace that is not at a segment's end, and a name that comes twice, are programmer's mistakes
    /// and trap.
    init(_ path: String, forms: [String: ParameterForm] = [:]) {
        self.forms = forms
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                precondition(!segment.contains { $0 == "{" || $0 == "}" }, "braces stand around a whole segment")
                return .text(String(segment))
            }
            return .parameter(name: String(segment.dropFirst().dropLast()))
        }
        let names = segments.filter { !$0.isText }
        precondition(Set(names).count == names.count, "the parameters of a path have names of their own")
    }

    /// The values of the parameters in a path.
    ///
    /// - Parameter path: As sent, but for escaped characters that need no escape.
    /// - Returns: nil if it is another path, a segment in the place of a parameter is empty, is no UTF-8, or is
    ///   none that the parameter takes.
    func match(_ path: String) -> PathParameters? {
        guard fits(path) else { return nil }
        var values: [PathParameters.Parameter] = []
        var rest = path.utf8.dropFirst()
        for segment in segments {
            let part = rest.prefix { $0 != Self.slash }
            rest = rest.dropFirst(part.count + 1)
            guard case .parameter(let name) = segment else { continue }
            guard let value = PercentEncoding.decoded(Substring(part)), forms[name]?(value) != false else {
                return nil
            }
            values.append(PathParameters.Parameter(name: name, value: value))
        }
        return PathParameters(values)
    }

    /// Whether the path has these texts, and something in the place of each parameter. Of the routes that are tried at
    /// most one matches, so a mismatch must allocate nothing.
    private func fits(_ path: String) -> Bool {
        let path = path.utf8Span.span
        var start = 1
        for segment in segments {
            guard start <= path.count else { return false }
            var end = start
            while end < path.count, path[end] != Self.slash { end += 1 }
            switch segment {
            case .text(let text):
                let text = text.utf8Span.span
                guard text.count == end - start else { return false }
                for index in text.indices where text[index] != path[start + index] { return false }
            case .parameter:
                if start == end { return false }
            }
            start = end + 1
        }
        return start == path.count + 1
    }

}

extension PathPattern {
    /// Whether both stand for the same paths.
    func isSame(as other: PathPattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { $0 == $1 || !$0.isText && !$1.isText }
    }

    /// Whether this pattern is tried first: with equally many segments, it has a text at the first position where
    /// only one of the two has a parameter.
    func precedes(_ other: PathPattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).first { $0.isText != $1.isText }?.0.isText ?? false
    }
}
