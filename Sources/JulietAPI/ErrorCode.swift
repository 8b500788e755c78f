/// The stable codes of `error.code`, each with its message for people and its status.
///
/// Codes are part of the interface: scripts and dashboards compare them, so a code is never renamed or reused. Errors
/// of the HTTP server itself have its own codes.
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
    case idempotencyKeyReused = "request.idempotencyKey.reused"
    case requestsTooMany = "request.tooMany"

    // A page of another origin sends it.
    case originRefused = "origin.refused"

    // The key is not one of ours.
    case authRequired = "auth.required"
    case authInvalid = "auth.invalid"

    // The game refuses.
    case userUnknown = "user.unknown"
    case wordUnknown = "word.unknown"
    case productUnknown = "product.unknown"
    case energyInsufficient = "energy.insufficient"
    case energyFull = "energy.full"
    case energyReportRefused = "energy.clientUpdates.refused"
    case winsFull = "wins.full"

    // The service itself cannot.
    case serverInternal = "server.internal"
    case serverOverloaded = "server.overloaded"
    case serverUnavailable = "server.unavailable"
    case serverWithoutWords = "server.withoutWords"

    /// The HTTP status of the code: the outer code, or the inner one if the game refuses.
    package var status: Int {
        switch self {
        case .jsonMalformed, .jsonNotAnObject, .jsonDuplicateName, .jsonTooDeep, .typeMissing, .typeInvalid,
            .typeUnknown, .typeMisplaced, .parameterMissing, .parameterInvalid, .idempotencyKeyInvalid:
            400
        case .idempotencyKeyReused: 422
        case .requestsTooMany: 429
        case .authRequired, .authInvalid: 401
        case .originRefused: 403
        case .userUnknown, .wordUnknown, .productUnknown, .energyInsufficient, .energyFull, .energyReportRefused,
            .winsFull:
            404
        case .serverInternal: 500
        case .serverOverloaded, .serverUnavailable, .serverWithoutWords: 503
        }
    }

    /// The message of the code if nothing more specific is known. It never contains anything that the client sent.
    package var message: String {
        switch self {
        case .jsonMalformed: "The body is not valid JSON."
        case .jsonNotAnObject: "The body is JSON, but not an object."
        case .jsonDuplicateName: "An object of the body holds the same name twice."
        case .jsonTooDeep: "The body nests arrays or objects too deeply."
        case .typeMissing: "The body has no \"requestType\"."
        case .typeInvalid: "\"requestType\" is not a string."
        case .typeUnknown: "\"requestType\" is unknown."
        case .typeMisplaced: "This \"requestType\" belongs to another URL."
        case .parameterMissing: "A parameter is missing."
        case .parameterInvalid: "A parameter has the wrong type or is out of range."
        case .idempotencyKeyInvalid: "Idempotency-Key must be 1 to 255 visible ASCII characters, bare or quoted."
        case .idempotencyKeyReused: "This Idempotency-Key was used for another request."
        case .requestsTooMany: "Too many requests: Retry-After says how long to wait."
        case .originRefused: "Pages of other origins cannot use this URL."
        case .authRequired: "The request carries no AuthToken."
        case .authInvalid: "The AuthToken is not valid."
        case .userUnknown: "No such user: register first."
        case .wordUnknown: "The word is not in the list."
        case .productUnknown: "No such product: 5 or 30 energy can be bought."
        case .energyInsufficient: "Not enough energy for a game."
        case .energyFull: "The balance would be too high."
        case .winsFull: "The number of wins would be too high."
        case .energyReportRefused: "Clients may not set their energy here."
        case .serverInternal: "Something went wrong here."
        case .serverOverloaded: "Too busy: try again later."
        case .serverUnavailable: "The service cannot reach its database: try again later."
        case .serverWithoutWords: "No secret words have been imported yet."
        }
    }
}
