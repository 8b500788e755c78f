/// A path with parameters: "/games/{id}/guesses" stands for "/games/7/guesses".
struct PathPattern: Sendable {
    enum Segment: Hashable, Sendable {
        case text(String)
        case parameter(name: String)

        var isText: Bool { if case .text = self { true } else { false } }
    }

    /// What lies between the slashes.
    let segments: [Segment]

    /// Whether there are parameters in a path.
    static func isPattern(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "{")) }

    /// Takes a path apart. A brace that is not at a segment's end, and a name that comes twice, are programmer's mistakes
    /// and trap.
    init(_ path: String) {
        segments = Self.segments(of: path).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                precondition(!segment.contains { $0 == "{" || $0 == "}" }, "braces stand around a whole segment")
                return .text(String(segment))
            }
            return .parameter(name: String(segment.dropFirst().dropLast()))
        }
        let names = segments.filter { !$0.isText }
        precondition(Set(names).count == names.count, "the parameters of a path have names of their own")
    }

    /// What a path has in the places of the parameters.
    ///
    /// - Parameter path: As sent, but for escaped characters that need no escape.
    /// - Returns: nil if it is another path, a segment in the place of a parameter is empty, or is no UTF-8.
    func match(_ path: String) -> PathParameters? {
        let parts = Self.segments(of: path)
        guard parts.count == segments.count else { return nil }
        var values: [PathParameters.Parameter] = []
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .text(let text):
                guard part == text else { return nil }
            case .parameter(let name):
                guard !part.isEmpty, let value = PercentEncoding.decoded(part) else { return nil }
                values.append(PathParameters.Parameter(name: name, value: value))
            }
        }
        return PathParameters(values)
    }

    private static func segments(of path: String) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}

extension PathPattern {
    /// Whether both stand for the same paths.
    func isSame(as other: PathPattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { $0 == $1 || !$0.isText && !$1.isText }
    }

    /// Whether this one is asked first: of as many segments, it has a text at the first where the two differ in kind.
    func precedes(_ other: PathPattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).first { $0.isText != $1.isText }?.0.isText ?? false
    }
}
