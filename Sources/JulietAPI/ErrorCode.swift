/// The stable codes of `error.code`, with what each says to people and the status it is answered with.
///
/// Codes are part of the interface: scripts and dashboards compare them, so a code is never renamed or reused.
package enum ErrorCode: String, CaseIterable, Sendable {
    // The body is not a JSON object we take.
    case jsonMalformed = "request.json.malformed"
    case jsonNotAnObject = "request.json.notAnObject"
    case jsonDuplicateName = "request.json.duplicateName"
    case jsonTooDeep = "request.json.tooDeep"

    // The object does not say what is asked, or not completely.
    case typeMissing = "request.type.missing"
    case typeInvalid = "request.type.invalid"
    case typeUnknown = "request.type.unknown"
    case typeMisplaced = "request.type.misplaced"
    case parameterMissing = "request.parameter.missing"
    case parameterInvalid = "request.parameter.invalid"
    case idempotencyKeyInvalid = "request.idempotencyKey.invalid"

    // The key is not one of ours.
    case authRequired = "auth.required"
    case authInvalid = "auth.invalid"

    // The game refuses.
    case userUnknown = "user.unknown"
    case wordUnknown = "word.unknown"
    case productUnknown = "product.unknown"
    case energyInsufficient = "energy.insufficient"
    case energyReportRefused = "energy.clientUpdates.refused"

    // HTTP could not be served as it came.
    case badRequest = "http.badRequest"
    case notFound = "http.notFound"
    case methodNotAllowed = "http.methodNotAllowed"
    case requestTimeout = "http.requestTimeout"
    case bodyTooLarge = "http.bodyTooLarge"
    case targetTooLong = "http.targetTooLong"
    case expectationFailed = "http.expectationFailed"
    case tooManyRequests = "http.tooManyRequests"
    case headTooLarge = "http.headTooLarge"
    case methodUnknown = "http.methodUnknown"
    case versionNotSupported = "http.versionNotSupported"

    // The service itself cannot.
    case serverInternal = "server.internal"
    case serverOverloaded = "server.overloaded"
    case serverUnavailable = "server.unavailable"

    /// The HTTP status the code is answered with: the outer code, or the inner one for what the game refuses.
    package var status: Int {
        switch self {
        case .jsonMalformed, .jsonNotAnObject, .jsonDuplicateName, .jsonTooDeep, .typeMissing, .typeInvalid,
            .typeUnknown, .typeMisplaced, .parameterMissing, .parameterInvalid, .idempotencyKeyInvalid, .badRequest:
            400
        case .authRequired, .authInvalid: 401
        case .userUnknown, .wordUnknown, .productUnknown, .energyInsufficient, .energyReportRefused, .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectationFailed: 417
        case .tooManyRequests: 429
        case .headTooLarge: 431
        case .serverInternal: 500
        case .methodUnknown: 501
        case .serverOverloaded, .serverUnavailable: 503
        case .versionNotSupported: 505
        }
    }

    /// What the code says when nothing more particular is known. Never holds anything the client sent.
    package var message: String {
        switch self {
        case .jsonMalformed: "The body is not valid JSON."
        case .jsonNotAnObject: "The body is JSON, but not an object."
        case .jsonDuplicateName: "An object of the body holds the same name twice."
        case .jsonTooDeep: "The body nests arrays or objects too deeply."
        case .typeMissing: "The body has no \"requestType\"."
        case .typeInvalid: "\"requestType\" is not a string."
        case .typeUnknown: "\"requestType\" is not one we know."
        case .typeMisplaced: "This \"requestType\" belongs to another URL."
        case .parameterMissing: "A parameter is missing."
        case .parameterInvalid: "A parameter has the wrong type or is out of range."
        case .idempotencyKeyInvalid: "Idempotency-Key must be 1 to 255 visible ASCII characters, bare or quoted."
        case .authRequired: "The request carries no AuthToken."
        case .authInvalid: "The AuthToken is not valid."
        case .userUnknown: "No such user: register first."
        case .wordUnknown: "Not a word of ours."
        case .productUnknown: "No such product: 5 or 30 energy can be bought."
        case .energyInsufficient: "Not enough energy for a game."
        case .energyReportRefused: "Clients may not set their energy here."
        case .badRequest: "The request is not valid HTTP."
        case .notFound: "Nothing is served at this path."
        case .methodNotAllowed: "This path takes another method."
        case .requestTimeout: "The request did not arrive in time."
        case .bodyTooLarge: "The body is too large."
        case .targetTooLong: "The request target is too long."
        case .expectationFailed: "The expectation cannot be met."
        case .tooManyRequests: "Too many requests: try again later."
        case .headTooLarge: "The header fields are too large."
        case .methodUnknown: "The method is not one we know."
        case .versionNotSupported: "This version of HTTP is not supported."
        case .serverInternal: "Something went wrong here."
        case .serverOverloaded: "Too busy: try again later."
        case .serverUnavailable: "The database is out of reach: try again later."
        }
    }

    /// The code for a failure that only has an HTTP status, such as one the HTTP server found by itself.
    ///
    /// A 4xx without a code of its own is `http.badRequest`, a 5xx `server.internal`.
    package init(httpStatus: Int) {
        switch httpStatus {
        case 401: self = .authRequired
        case 404: self = .notFound
        case 405: self = .methodNotAllowed
        case 408: self = .requestTimeout
        case 413: self = .bodyTooLarge
        case 414: self = .targetTooLong
        case 417: self = .expectationFailed
        case 429: self = .tooManyRequests
        case 431: self = .headTooLarge
        case 501: self = .methodUnknown
        case 503: self = .serverOverloaded
        case 505: self = .versionNotSupported
        case 500...: self = .serverInternal
        default: self = .badRequest
        }
    }
}
