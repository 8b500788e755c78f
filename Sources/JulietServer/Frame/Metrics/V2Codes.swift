import HTTPServer
import JulietAPI

/// The answers of `/v2`, numbered: HTTP's status and, for a problem, its code.
enum V2Codes {
    private static let done = [200, 201, 204]
    private static let problems = V2.ProblemCode.allCases
    private static let places = Dictionary(
        uniqueKeysWithValues: problems.enumerated().map { ($1.rawValue, done.count + $0) })

    /// The last place is for everything else.
    static var count: Int { done.count + problems.count + 1 }

    /// Finds a problem's code in the body, which begins with its type, because handlers return answers and no codes.
    static func index(of response: Response) -> Int {
        switch response.status.code {
        case 200: return 0
        case 201: return 1
        case 204: return 2
        default:
            guard let code = code(of: response), let place = places[code] else { return count - 1 }
            return place
        }
    }

    /// The code of the problem in a response; nil: it has none.
    static func code(of response: Response) -> String? {
        guard case .bytes(let bytes) = response.body, bytes.starts(with: prefix) else { return nil }
        return String(decoding: bytes.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    static func labels(at index: Int) -> (status: String, code: String) {
        if index < done.count { return ("\(done[index])", "ok") }
        guard index < count - 1 else { return ("other", "other") }
        let problem = problems[index - done.count]
        return ("\(problem.status)", problem.rawValue)
    }

    private static let prefix = Array(#"{"type":"/problems/"#.utf8)
}
