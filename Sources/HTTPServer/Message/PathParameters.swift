/// What a request's path has in the places of a route's parameters: "7" for "id", where "/games/7" came to
/// "/games/{id}".
public struct PathParameters: Sendable {
    struct Parameter: Sendable {
        let name: String
        let value: String
    }

    /// nil where the route has none, which costs a request nothing.
    let values: [Parameter]?

    init(_ values: [Parameter]? = nil) { self.values = values }

    /// The value of a parameter, percent-decoded and never empty; nil if the route has none of this name.
    public subscript(name: String) -> String? {
        values?.first { $0.name == name }?.value
    }
}
