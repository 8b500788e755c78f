import Crypto
import JulietAPI
import StrictEncoding

/// The proof that the service played fair: the commitment it made when a game or a day began, the salt and the word it
/// revealed at the end, and its marks of the guesses. Anybody can check it, without service and database.
package struct GameProof: Sendable {
    private let commitment: String
    private let salt: String?
    private let secret: String?
    private let length: Int?
    private let state: V2.Game.State?
    private let guesses: [V2.Guess]

    /// A commitment alone.
    ///
    /// - Parameters:
    ///   - commitment: 64 lower-case hex digits.
    ///   - salt: 32 lower-case hex digits.
    ///   - secret: The word, lower case.
    package init(commitment: String, salt: String, secret: String) {
        self.commitment = commitment
        self.salt = salt
        self.secret = secret
        length = nil
        state = nil
        guesses = []
    }

    /// What was verified.
    package struct Finding: Sendable, Hashable {
        /// The word the service had committed to.
        package let secret: String
        /// How many guesses it marked correctly.
        package let guesses: Int
    }

    /// Why it was not verified.
    package enum Failure: Error, Hashable {
        /// Word and salt are not revealed yet.
        case notOver
        /// Something does not fit; what, in words.
        case doesNotFit(String)
    }

    /// Checks everything that it has.
    func check() throws(Failure) -> Finding {
        guard let salt, let secret else { throw .notOver }
        guard salt.utf8.count == 32, salt.utf8.allSatisfy(Self.isHexDigit) else {
            throw .doesNotFit("the salt is not 32 hex digits")
        }
        guard Hexadecimal.encode(SHA256.hash(data: Array("\(salt):\(secret)".utf8))) == commitment else {
            throw .doesNotFit("the commitment is to another word, or with another salt")
        }
        let letters = secret.unicodeScalars.count
        guard length ?? letters == letters else {
            throw .doesNotFit("the word has \(letters) letters, the game said \(length ?? 0)")
        }
        for (number, guess) in zip(1..., guesses) {
            let marks = V2.Mark.marks(of: guess.word, for: secret)
            guard guess.marks == marks, guess.word.unicodeScalars.count == letters else {
                throw .doesNotFit(
                    "guess \(number), \(guess.word.quoted), was marked \(Self.list(guess.marks)), which is not "
                        + Self.list(marks))
            }
        }
        try checkEnd(secret)
        return Finding(secret: secret, guesses: guesses.count)
    }

    private func checkEnd(_ secret: String) throws(Failure) {
        guard guesses.count <= V2.Game.maximumGuesses else {
            throw .doesNotFit("\(guesses.count) guesses were made, and only \(V2.Game.maximumGuesses) are allowed")
        }
        guard !guesses.dropLast().contains(where: { $0.word == secret }) else {
            throw .doesNotFit("the game went on after the word was guessed")
        }
        let isFound = guesses.last?.word == secret
        switch state {
        case .won where !isFound: throw .doesNotFit("the game is called won, but the word was not guessed")
        case .lost where isFound: throw .doesNotFit("the game is called lost, but the word was guessed")
        default: break
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }

    private static func list(_ marks: [V2.Mark]) -> String { marks.map(\.rawValue).joined(separator: " ") }
}

extension GameProof {
    /// Checks several proofs of one word, which must have the same commitment.
    ///
    /// - Parameters:
    ///   - proofs: One or more.
    ///   - noted: The commitment as it was shown when the game or the day began; nil: it was not noted.
    package static func check(_ proofs: [GameProof], noted: String? = nil) throws(Failure) -> Finding {
        guard Set(proofs.map(\.commitment)).count == 1 else {
            throw .doesNotFit("the commitment of the game is not the day's")
        }
        if let noted, proofs.contains(where: { $0.commitment != noted }) {
            throw .doesNotFit("the commitment is not the one that was noted")
        }
        var findings: [Finding] = []
        for proof in proofs where proof.secret != nil { findings.append(try proof.check()) }
        guard let finding = findings.last else { throw .notOver }
        return finding
    }

    /// Finds what can be checked in an answer of `/v2`: a game, a day, or something that holds a game.
    package struct Answer: Decodable {
        /// The proofs, the day's before the game's; empty if there is neither.
        package let proofs: [GameProof]

        private enum CodingKeys: CodingKey { case commitment, game }

        /// Reads an answer.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let own = members.contains(.commitment) ? try GameProof(from: decoder) : nil
            proofs = [own, try members.decodeIfPresent(GameProof.self, forKey: .game)].compactMap(\.self)
        }
    }
}

extension GameProof: Decodable {
    private enum CodingKeys: CodingKey { case commitment, salt, secret, length, state, guesses }

    /// Reads the members of a game or a day that prove something, and ignores the others.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        commitment = try members.decode(String.self, forKey: .commitment)
        salt = try members.decodeIfPresent(String.self, forKey: .salt)
        secret = try members.decodeIfPresent(String.self, forKey: .secret)
        length = try members.decodeIfPresent(Int.self, forKey: .length)
        state = try members.decodeIfPresent(V2.Game.State.self, forKey: .state)
        guesses = try members.decodeIfPresent([V2.Guess].self, forKey: .guesses) ?? []
    }
}

extension V2.Mark {
    /// Judges a guess as `mark_guess` does: correct letters first, then present ones among the letters that are left.
    ///
    /// - Returns: A mark for each letter of the guess that has a counterpart in the word.
    fileprivate static func marks(of guess: String, for secret: String) -> [V2.Mark] {
        let pairs = Array(zip(guess.unicodeScalars, secret.unicodeScalars))
        var left: [Unicode.Scalar: Int] = [:]
        for (letter, right) in pairs where letter != right { left[right, default: 0] += 1 }
        return pairs.map { letter, right in
            if letter == right { return .correct }
            guard let count = left[letter], count > 0 else { return .absent }
            left[letter] = count - 1
            return .present
        }
    }
}
