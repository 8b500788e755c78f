import HTTPServer
import JulietAPI

/// Renders the errors that the HTTP server answers by itself as problem details, for requests of
/// `/v2`, the App Store and the lottery.
struct ProblemRenderer: Sendable {
    private let root: String
    private let notificationsPath: String
    private let lotteryRoots: [String]
    private let crossOrigin: CrossOrigin

    /// Renders for the URLs below `/v2`.
    ///
    /// - Parameter basePath: What a gateway puts before it, without a slash at the end.
    init(basePath: String, crossOrigin: CrossOrigin) {
        root = basePath + "/v2"
        notificationsPath = basePath + NotificationsHandler.path
        lotteryRoots = ["/lottery/", "/API/SimpleLottery/"].map { basePath + $0 }
        self.crossOrigin = crossOrigin
    }

    /// The answer; nil for other paths, and if the request failed before its path was known.
    func response(to failure: HTTPFailure) -> Response? {
        guard let path = failure.normalizedPath,
            path == root || path.hasPrefix(root + "/") || path == notificationsPath
                || lotteryRoots.contains(where: path.hasPrefix)
        else { return nil }
        var response = Response.problem(V2.Problem(for: failure))
        let id = RequestID(proposed: failure.requestHeaders[RequestID.headerName])
        response.headers.append(RequestID.headerName, id.description)
        crossOrigin.share(&response, with: failure.requestHeaders)
        return response
    }
}
