/// Metrics as Prometheus reads them: its text exposition format, version 0.0.4.
struct MetricsText {
    /// What metrics are.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// The media type of the text.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The text so far, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// Begins a metric.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        write("# HELP ", name, " ", Self.escaped(help, quotes: false), "\n")
        write("# TYPE ", name, " ", kind.rawValue, "\n")
    }

    /// A value of the metric that was begun.
    ///
    /// - Parameter labels: As ``labels(_:)`` writes them, without braces; empty for none.
    mutating func sample(_ name: String, _ labels: String, _ value: String) {
        labels.isEmpty ? write(name, " ", value, "\n") : write(name, "{", labels, "} ", value, "\n")
    }

    /// Labels between the braces, without them.
    static func labels(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",")
    }

    /// A number as Prometheus reads it: whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value == value.rounded(), value.magnitude < 1e15 { return "\(Int(value))" }
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }

    private mutating func write(_ parts: String...) { for part in parts { bytes += part.utf8 } }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? text.replacing("\"", with: "\\\"") : text
    }
}
