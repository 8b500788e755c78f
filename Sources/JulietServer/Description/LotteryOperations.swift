import HTTPServer
import JulietAPI
import Lottery

extension APIOperation {
    /// The lottery's URLs. The module Lottery writes the answers; `ExampleTests` compares them with this.
    static let lottery: [APIOperation] = [
        APIOperation(
            name: "watchLottery", method: .get, path: "/lottery/events", group: lotteryGroup,
            about: "The state of the lottery as a stream of events: first the current state, then each change.",
            text: """
                The stream ends when the service stops: connect again then. A comment is sent every 15 s. One service \
                serves 2000 streams at a time, or a quarter of http.maximumConnections if that is less, and 100 to one \
                address.
                """,
            proof: .nothing, parameters: [], request: nil,
            answers: answers(
                to: "watchLottery",
                Answer(
                    status: .ok, content: .events(.lotteryState), about: "States of the lottery.",
                    examples: OperationExamples.answers(of: "watchLottery", 200)))),
        APIOperation(
            name: "readDraw", method: .get, path: "/lottery/draws/{number}", group: lotteryGroup,
            about: "A draw, without what is still secret.",
            text: """
                Before it starts, the answer has the commitment; then also the frozen list, its digest and the rounds \
                shown so far; and at the end the seed, with which everybody can repeat the draw. `winner` is missing \
                if the entry of the last round is void.
                """,
            proof: .nothing, parameters: [drawNumber], request: nil,
            answers: answers(
                to: "readDraw",
                Answer(
                    status: .ok, content: .json(.lotteryDraw), about: Schema.lotteryDraw.about ?? "",
                    examples: OperationExamples.answers(of: "readDraw", 200)),
                refuses: [V2.Problem(.notFound)])),
        APIOperation(
            name: "startDraw", method: .post, path: "/lottery/draws/{number}", group: lotteryGroup,
            about: "Starts the next draw.",
            text: """
                A repeat is 202: a draw that has started goes on and is not drawn again. There is half a minute \
                between two draws. Pages of other origins cannot start a draw.
                """,
            proof: .nothing, parameters: [drawNumber], request: nil,
            answers: answers(
                to: "startDraw", Answer(status: 202, content: .nothing, about: "It has started."),
                refuses: [V2.Problem(.notFound)] + V2.Problem.ofDraws)),
        APIOperation(
            name: "enterLottery", method: .put, path: "/lottery/entry", group: lotteryGroup,
            about: "Enters the calling player in the lottery.",
            text:
                "A player takes part once: a repeat answers the same. `userId` is their number in the lottery, not their id.",
            proof: .token(isOptional: false), parameters: [], request: nil,
            answers: answers(
                to: "enterLottery",
                Answer(
                    status: .ok, content: .json(.lotteryPlace), about: Schema.lotteryPlace.about ?? "",
                    examples: OperationExamples.answers(of: "enterLottery", 200)),
                refuses: [V2.Problem(.unauthorized)])),
        document(
            "readLotteryUsers", "/\(DocumentRepository.usersPath)", "The users who may take part, by number.",
            .lotteryUsers),
        document(
            "readLotteryEntries", "/\(DocumentRepository.entriesPath)",
            "The entries of the lottery, in the order of the list.",
            .lotteryEntries),
    ]

    private static let drawNumber = Parameter(
        name: "number", place: .path, schema: Schema(.integer, [.minimum(1)]), about: "The draw's number.")

    private static func document(_ name: String, _ path: String, _ about: String, _ schema: Schema) -> APIOperation {
        APIOperation(
            name: name, method: .get, path: path, group: lotteryGroup, about: about,
            text: """
                Send the `ETag` as `If-None-Match`: 304 if nothing has changed. The answer can be long: accept \
                compression. `Range` and `If-Range` ask for a part, and `If-Match` is checked (RFC 9110 §13, §14); 412 and \
                416 have no body.
                """,
            proof: .nothing, parameters: [.ifNoneMatch], request: nil,
            answers: answers(
                to: name,
                Answer(
                    status: .ok, content: .json(schema), about: schema.about ?? "", headers: [.entityTag],
                    examples: OperationExamples.answers(of: name, 200)),
                Answer(
                    status: 206, content: .nothing, about: "The bytes that `Range` asks for.",
                    headers: [.entityTag, .contentRange]),
                Answer(status: 304, content: .nothing, about: "Nothing has changed.", headers: [.entityTag]),
                Answer(
                    status: 412, content: .nothing, about: "The current version is not one that `If-Match` names.",
                    headers: []),
                Answer(
                    status: 416, content: .nothing, about: "`Range` begins after the end.", headers: [.contentRange]),
                hasID: false))
    }

    /// By status.
    private static func answers(
        to operation: String, _ successes: Answer..., refuses refusals: [V2.Problem] = [], hasID: Bool = true
    ) -> [Answer] {
        let problems = refusals + V2.ProblemCode.common.map { V2.Problem($0) }
        let refused = Dictionary(grouping: problems, by: \.status).map {
            Answer($0.value, of: operation, hasID: hasID)
        }
        return (successes + refused).sorted { $0.status.code < $1.status.code }
    }

    /// The request that the App Store sends.
    static let storeNotification = APIOperation(
        name: "notifyPurchase", method: .post, path: NotificationsHandler.path, group: storeGroup,
        about: "Takes notifications of the App Store about purchases: App Store Server Notifications, version 2.",
        text: """
            Give its address to the App Store only. If the store has not signed the notification, or it is about \
            another app, the answer is 400. A notification that comes twice counts once; the store sends it again \
            if the answer is not 200. Here a body may have up to 64 KiB.
            """,
        proof: .nothing, parameters: [], request: StoreNotification.schema,
        answers: answers(
            to: "notifyPurchase",
            Answer(
                status: .ok, content: .json(V2.NoMembers.schema), about: "The notification is stored and applied.",
                examples: OperationExamples.answers(of: "notifyPurchase", 200))))
}
