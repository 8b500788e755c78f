/// One answer of the contract: a value that encodes to the envelope the app decodes.
///
/// Made by outcome, so that an answer always holds the keys of its request type:
///
///     Answer.energy(.singleGameEnergyUpdate, balance: 25)
///     Answer.refused(.statNewGameSession, .energyInsufficient, energy: 3)
///     Answer.failed(.serverOverloaded, type: RequestType.peek(in: body.span))
package struct Answer: Equatable, Sendable {
    /// A refusal or a failure, for people.
    package struct Problem: Equatable, Sendable {
        /// A stable code: an `ErrorCode`'s raw value, or one of the HTTP server's.
        package let code: String
        /// A sentence for people.
        package let message: String

        /// Names a problem.
        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// The request type it answers; nil if it is not known; then the body has only the inner code.
    package let type: RequestType?
    /// Whether a handler accepted the request: 200, 4xx or 5xx.
    package let outerStatus: Int
    /// Whether it took effect; nil for `fetchNewSecretWord`, which has no inner code.
    package let innerStatus: Int?
    /// The balance, if the type has one; 0 when unknown.
    package let userEnergy: Int
    /// The wins, if the type has them; 0 when unknown.
    package let userWins: Int
    /// The letters to deal, if the type has them, one string each and upper case.
    package let secretWord: [String]
    /// What went wrong, for people; nil on success.
    package let problem: Problem?

    /// The status HTTP carries: the worse of the two codes.
    package var httpStatus: Int {
        max(outerStatus, innerStatus ?? outerStatus)
    }

    init(
        _ type: RequestType?, outer: Int, inner: Int?, energy: Int = 0, wins: Int = 0, word: [String] = [],
        problem: Problem? = nil
    ) {
        self.type = type
        outerStatus = outer
        innerStatus = inner
        userEnergy = energy
        userWins = wins
        secretWord = word
        self.problem = problem
    }
}

// MARK: Success

extension Answer {
    /// The answer to a request that needs only a code: `initialRegistration`,
    /// `updateUserPlayedWordsList`.
    package static func done(_ type: RequestType) -> Answer {
        Answer(type, outer: 200, inner: 200)
    }

    /// The answer to `updateUserEnergy`, `singleGameEnergyUpdate` and `handleEnergyPurchase`: the balance that now
    /// holds.
    package static func energy(_ type: RequestType, balance: Int) -> Answer {
        Answer(type, outer: 200, inner: 200, energy: balance)
    }

    /// The answer to `fetchUserWins` and `updateUserWins`: the wins that now count.
    package static func wins(_ type: RequestType, count: Int) -> Answer {
        Answer(type, outer: 200, inner: 200, wins: count)
    }

    /// The answer to `fetchNewSecretWord`.
    ///
    /// - Parameter word: See `letters(of:)`.
    package static func word(_ word: String) -> Answer {
        Answer(.fetchNewSecretWord, outer: 200, inner: nil, word: letters(of: word))
    }

    /// The answer to `statNewGameSession`: what is left after paying, and the word.
    ///
    /// - Parameter word: See `letters(of:)`.
    package static func game(balance: Int, word: String) -> Answer {
        Answer(.statNewGameSession, outer: 200, inner: 200, energy: balance, word: letters(of: word))
    }
}

// MARK: Refusal and failure

extension Answer {
    /// The answer when a handler took the request and the game refuses: inner code 404 and nothing has changed.
    ///
    /// `fetchNewSecretWord` has no inner code, so its outer code is 404.
    /// - Parameters:
    ///   - code: Why; its message is used unless `message` is given.
    ///   - energy: The current balance; 0 when unknown.
    ///   - wins: The current wins; 0 when unknown.
    package static func refused(
        _ type: RequestType, _ code: ErrorCode, message: String? = nil, energy: Int = 0, wins: Int = 0
    ) -> Answer {
        let problem = Problem(code: code.rawValue, message: message ?? code.message)
        guard type.answerKeys.contains(.status) else {
            return Answer(type, outer: code.status, inner: nil, problem: problem)
        }
        return Answer(type, outer: 200, inner: code.status, energy: energy, wins: wins, problem: problem)
    }

    /// The answer when the game refuses a purchase: inner code 404, with the balance.
    ///
    /// - Parameters:
    ///   - reason: Why; the code is `purchase.` and the reason.
    ///   - energy: The current balance.
    package static func refused(_ type: RequestType, _ reason: PurchaseReason, energy: Int) -> Answer {
        let problem = Problem(code: reason.code, message: reason.message)
        return Answer(type, outer: 200, inner: PurchaseReason.status, energy: energy, problem: problem)
    }

    /// The answer when no handler accepted the request, or one failed: both codes are the code's status.
    ///
    /// - Parameters:
    ///   - type: The request type, if it could be told (`RequestType.peek(in:)`).
    ///   - message: A message for people, if it is better than the code's own.
    package static func failed(_ code: ErrorCode, type: RequestType?, message: String? = nil) -> Answer {
        failed(
            httpStatus: code.status, type: type,
            problem: Problem(code: code.rawValue, message: message ?? code.message))
    }

    /// The answer to a body that is not a request of the contract.
    package static func failed(_ failure: RequestFailure) -> Answer {
        failed(failure.code, type: failure.type, message: failure.message)
    }

    /// The answer to an error of the HTTP server itself: both codes are its status.
    ///
    /// - Parameters:
    ///   - httpStatus: 400...599.
    ///   - type: The request type, if it could be told (`RequestType.peek(in:)`).
    package static func failed(httpStatus: Int, type: RequestType?, problem: Problem) -> Answer {
        let hasInnerStatus = type?.answerKeys.contains(.status) ?? true
        return Answer(type, outer: httpStatus, inner: hasInnerStatus ? httpStatus : nil, problem: problem)
    }

    /// The same answer, but with a word from memory if a player asked for a word and gets none because the player is
    /// unknown or the database failed.
    ///
    /// The app has no error path there: it starts a game with any answer.
    /// - Parameter word: See `letters(of:)`; nil when there is none, the word then stays `[]`.
    package func dealing(fromMemory word: @autoclosure () -> String?) -> Answer {
        guard type == .fetchNewSecretWord, outerStatus == ErrorCode.userUnknown.status || outerStatus >= 500,
            let word = word()
        else { return self }
        return Answer(type, outer: outerStatus, inner: nil, word: Self.letters(of: word), problem: problem)
    }
}

// MARK: Letters

extension Answer {
    /// The letters of a word as the app gets them: one string per `Character`, upper case.
    ///
    /// A letter without a single upper-case letter ("ß") stays as it is. Upper-casing does not depend on a language:
    /// a Turkish word must be in upper case already ("İ" and "I" stay as they are).
    package static func letters(of word: String) -> [String] {
        word.map { letter in
            if let ascii = letter.asciiValue, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ascii) {
                return String(Unicode.Scalar(ascii - 0x20))
            }
            let upperCase = letter.uppercased()
            return upperCase.count == 1 ? upperCase : String(letter)
        }
    }
}
