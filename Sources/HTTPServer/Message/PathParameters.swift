/// The values of a route's parameters in a request's path: "7" for "id", if "/games/7" matched
/// "/games/{id}".
public struct PathParameters: Sendable {
    struct Parameter: Sendable {
        let name: String
        let value: String
    }

    /// nil if the route has none, which costs a request nothing.
    let values: [Parameter]?

    init(_ values: [Parameter]? = nil) { self.values = values }

    /// The value of a parameter, percent-decoded and never empty; nil if the route has none of this name.
    public subscript(name: String) -> String? {
        values?.first { $0.name == name }?.value
    }
}
