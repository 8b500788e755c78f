import JulietAPI

/// The requests of a URL: how many, their answers, and their durations, by request type, which on `/v2` is the method.
final class RequestMetrics: Sendable {
    private let requests: Counters
    private let durations: [Histogram]
    private let outcomes: Int

    /// - Parameters:
    ///   - route: The URL, its parameters by name.
    ///   - types: The request types of the URL.
    ///   - outcomes: How many different answers there are.
    ///   - codes: The labels `status` and `code` of an answer.
    init(
        _ registry: MetricsRegistry, route: String, types: [String], outcomes: Int,
        codes: @escaping @Sendable (Int) -> (status: String, code: String)
    ) {
        self.outcomes = outcomes
        requests = registry.add(
            "juliet_http_requests_total", .counter,
            "Requests answered: for the app's URLs status is the outer code and code the inner one, for /v2 HTTP's status and the problem's code.",
            Counters(count: types.count * outcomes, showsZero: false) { index in
                let (status, code) = codes(index % outcomes)
                return MetricsText.labels([
                    ("route", route), ("type", types[index / outcomes]), ("status", status), ("code", code),
                ])
            })
        durations = types.map { type in
            registry.add(
                "juliet_http_request_duration_seconds", .histogram, "Time from a complete request to its answer.",
                Histogram(.seconds, labels: MetricsText.labels([("route", route), ("type", type)])))
        }
    }

    /// A request was answered.
    @inline(__always)
    func record(type: Int, outcome: Int, nanoseconds: Int) {
        requests.add(at: type * outcomes + outcome)
        durations[type].take(nanoseconds)
    }
}

/// The answers of the app's URLs, numbered: outer and inner code.
enum AnswerCodes {
    private static let statuses = [200, 400, 401, 403, 404, 422, 429, 500, 503]
    /// The statuses and "other"; the inner code may be none as well.
    private static let (outer, inner) = (statuses.count + 1, statuses.count + 2)

    static var count: Int { outer * inner }

    static func index(of answer: Answer) -> Int {
        place(answer.outerStatus) * inner + (answer.innerStatus.map(place) ?? statuses.count + 1)
    }

    static func labels(at index: Int) -> (status: String, code: String) {
        func text(_ place: Int) -> String {
            place < statuses.count ? "\(statuses[place])" : place == statuses.count ? "other" : "none"
        }
        return (text(index / inner), text(index % inner))
    }

    @inline(__always)
    private static func place(_ status: Int) -> Int {
        switch status {
        case 200: 0
        case 400: 1
        case 401: 2
        case 403: 3
        case 404: 4
        case 422: 5
        case 429: 6
        case 500: 7
        case 503: 8
        default: 9
        }
    }
}
