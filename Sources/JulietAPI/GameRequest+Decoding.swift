extension GameRequest {
    /// Reads a request's body, strictly.
    ///
    /// The body is one JSON object (RFC 8259, UTF-8, whatever `Content-Type` says) of at most 32 levels, no name
    /// twice. Members beyond those of the request type are ignored, but must be valid JSON. Integers may be spelled
    /// in any way that makes them one (`5`, `5.0`, `50e-1`).
    /// - Parameters:
    ///   - body: The whole body.
    ///   - endpoint: The URL it came to; a request type of another URL is refused.
    ///   - takesTransactions: Whether `signedTransaction` is read; default: it is ignored like an unknown member.
    /// - Throws: `RequestFailure`, with the request type whenever the body tells it.
    package static func decode(
        _ body: Span<UInt8>, at endpoint: Endpoint, takesTransactions: Bool = false
    ) throws(RequestFailure) -> GameRequest {
        var members = RequestMembers()
        do {
            try members.read(body)
        } catch {
            throw RequestFailure(error, type: RequestType.peek(in: body, after: members))
        }
        let type = try members.type(in: body)
        guard type.endpoint == endpoint else {
            let message = "\(type.name) belongs to \(type.endpoint.path)."
            throw RequestFailure(.typeMisplaced, type: type, message: message)
        }
        return try GameRequest(type, members, takesTransactions, in: body)
    }

    private init(
        _ type: RequestType, _ members: RequestMembers, _ takesTransactions: Bool, in body: Span<UInt8>
    ) throws(RequestFailure) {
        let id = try members.account(type == .initialRegistration ? .vendorID : .userID, of: type, in: body)
        switch type {
        case .initialRegistration:
            self = .initialRegistration(vendorID: id)
        case .fetchNewSecretWord:
            self = .fetchNewSecretWord(userID: id)
        case .updateUserPlayedWordsList:
            let word = try members.value(.playedWord, of: type) { try? $0.text(in: body) }
            self = .updateUserPlayedWordsList(userID: id, playedWord: word)
        case .updateUserEnergy:
            let energy = try members.value(.userEnergy, of: type) { $0.integer(in: body) }
            guard energy >= 0 else { throw .invalid(.userEnergy, of: type) }
            self = .updateUserEnergy(userID: id, userEnergy: energy)
        case .singleGameEnergyUpdate:
            self = .singleGameEnergyUpdate(userID: id)
        case .handleEnergyPurchase:
            let amount = try members.value(.energyPurchaseAmount, of: type) { $0.integer(in: body) }
            guard takesTransactions,
                let transaction = try members.optional(.signedTransaction, of: type, read: { try? $0.text(in: body) })
            else {
                self = .handleEnergyPurchase(userID: id, energyPurchaseAmount: amount)
                return
            }
            self = .handleSignedEnergyPurchase(
                userID: id, energyPurchaseAmount: amount, signedTransaction: transaction)
        case .fetchUserWins:
            self = .fetchUserWins(userID: id)
        case .updateUserWins:
            self = .updateUserWins(userID: id)
        case .statNewGameSession:
            self = .statNewGameSession(userID: id)
        }
    }
}

extension RequestMembers {
    fileprivate func type(in body: Span<UInt8>) throws(RequestFailure) -> RequestType {
        switch requestType {
        case nil:
            throw RequestFailure(.typeMissing, type: nil)
        case .string(let text):
            guard let type = RequestType(text, in: body) else { throw RequestFailure(.typeUnknown, type: nil) }
            return type
        case .number, .boolean, .null, .nested:
            throw RequestFailure(.typeInvalid, type: nil)
        }
    }

    fileprivate func account(
        _ parameter: Parameter, of type: RequestType, in body: Span<UInt8>
    ) throws(RequestFailure) -> String {
        let text = try value(parameter, of: type) { try? $0.text(in: body) }
        guard isAccountID(text) else { throw .invalid(parameter, of: type) }
        return text
    }

    fileprivate func value<Value>(
        _ parameter: Parameter, of type: RequestType, read: (JSONToken) -> Value?
    ) throws(RequestFailure) -> Value {
        guard let token = self[parameter] else { throw .missing(parameter, of: type) }
        guard let value = read(token) else { throw .invalid(parameter, of: type) }
        return value
    }

    /// nil when it is missing or `null`.
    fileprivate func optional<Value>(
        _ parameter: Parameter, of type: RequestType, read: (JSONToken) -> Value?
    ) throws(RequestFailure) -> Value? {
        switch self[parameter] {
        case nil, .null: return nil
        case let token?:
            guard let value = read(token) else { throw .invalid(parameter, of: type) }
            return value
        }
    }
}

extension RequestFailure {
    fileprivate static func missing(_ parameter: Parameter, of type: RequestType) -> RequestFailure {
        let message = "\(type.name) needs \"\(parameter.name)\", \(parameter.expectation)."
        return RequestFailure(.parameterMissing, type: type, message: message)
    }

    fileprivate static func invalid(_ parameter: Parameter, of type: RequestType) -> RequestFailure {
        let message = "\"\(parameter.name)\" of \(type.name) must be \(parameter.expectation)."
        return RequestFailure(.parameterInvalid, type: type, message: message)
    }
}
