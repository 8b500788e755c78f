import JulietAPI
import Testing

/// A player's story: what the app sends, one request after the other, and what it is answered.
struct ContractCase: Sendable, CustomTestStringConvertible {
    /// What the story shows.
    let name: String
    let steps: [Step]

    init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }

    var testDescription: String { name }

    /// One request and its answer.
    struct Step: Sendable {
        /// Makes the request for the story's player.
        let request: @Sendable (String) -> GameRequest
        /// HTTP's status.
        let status: Int
        /// The outer code.
        let outer: Int
        /// `body` as it must come, byte for byte. `*` stands for five letters that spell a word of ours.
        let body: String
        /// The code of `error`; nil: there must be none.
        let error: String?

        init(
            _ request: @escaping @Sendable (String) -> GameRequest, _ status: Int, outer: Int = 200, _ body: String,
            error: String? = nil
        ) {
            self.request = request
            self.status = status
            self.outer = outer
            self.body = body
            self.error = error
        }
    }
}

extension ContractCase {
    /// Plays the story for a new player.
    ///
    /// - Returns: The words that were dealt, in lower case.
    @discardableResult
    func play(with service: TestService) async throws -> [String] {
        let user = TestService.newUser()
        var words: [String] = []
        for (number, step) in steps.enumerated() {
            let request = step.request(user)
            let reply = try await service.reply(to: request)
            let answer = try reply.answer(to: request.type)
            let comment: Comment = "step \(number + 1), \(request): \(reply)"
            #expect(reply.status == step.status, comment)
            #expect(reply["Content-Type"] == "application/json", comment)
            #expect(answer.httpStatus == reply.status, comment)
            #expect(answer.problem?.code == step.error, comment)
            #expect((answer.problem?.message ?? "-").isEmpty == false, comment)

            var body = step.body
            if body.contains("*") {
                let word = answer.secretWord.joined().lowercased()
                #expect(service.secrets.contains(word), comment)
                words.append(word)
                body = body.replacing(
                    "*", with: "[" + word.uppercased().map { "\"\($0)\"" }.joined(separator: ",") + "]")
            }
            let head = #"{"lambdaInvocationHttpsStatusCode":\#(step.outer),"body":\#(body)"#
            if let error = step.error {
                #expect(reply.text.hasPrefix(head + #","error":{"code":"\#(error)","message":""#), comment)
            } else {
                #expect(reply.text == head + "}", comment)
            }
        }
        return words
    }
}
