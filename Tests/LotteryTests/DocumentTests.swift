import Foundation
import Lottery
import Testing

@testable import LotteryPresentation

@Suite("The documents of the lottery")
struct DocumentTests {
    private static let user = #"{"userId": 10, "name": "Jack", "username": "J", "regDate": "2020-02-29"}"#

    @Test(
        "what is wrong is named with its place, and nothing is taken",
        arguments: [
            ("", "items: is not JSON, or has a number that is not whole"),
            ("[]", "items: is not an object"), ("{}", "items: is missing"), (#"{"items": {}}"#, "items: is not a list"),
            (#"{"items": [5]}"#, "items[0]: is not an object"),
            (#"{"items": [\#(user), {"userId": "x"}]}"#, "items[1].userId: is not a whole number"),
            (#"{"items": [{"userId": 1, "name": 5}]}"#, "items[0].name: is not text"),
            (#"{"items": [{"userId": 1}]}"#, "items[0].name: is missing"),
            (#"{"items": [\#(user), \#(user)]}"#, "items[1].userId: 10 is already in items[0]"),
            (
                #"{"items": [{"userId": 0, "name": "a", "username": "b", "regDate": "2020-01-01"}]}"#,
                "items[0].userId: is not 1 to 999999999"
            ),
            (
                #"{"items": [{"userId": 1000000000, "name": "a", "username": "b", "regDate": "2020-01-01"}]}"#,
                "items[0].userId: is not 1 to 999999999"
            ),
            (
                #"{"items": [{"userId": 1, "name": " ", "username": "b", "regDate": "2020-01-01"}]}"#,
                "items[0].name: is not 1 to 200 visible characters"
            ),
            (
                #"{"items": [{"userId": 1, "name": "a\u001b[2J", "username": "b", "regDate": "2020-01-01"}]}"#,
                "items[0].name: is not 1 to 200 visible characters"
            ),
            (
                #"{"items": [{"userId": 1, "name": "a", "username": "", "regDate": "2020-01-01"}]}"#,
                "items[0].username: is not 1 to 200 visible characters"
            ),
            (
                #"{"items": [{"userId": 1, "name": "a", "username": "b", "regDate": "2021-02-29"}]}"#,
                "items[0].regDate: is not a day such as 2020-10-19"
            ),
            (
                #"{"items": [{"userId": 1, "name": "a", "username": "b", "regDate": "2021-2-9"}]}"#,
                "items[0].regDate: is not a day such as 2020-10-19"
            ),
        ])
    func badUsers(text: String, problem: String) {
        let error = #expect(throws: LotteryDocumentError.self) {
            try LotteryDocuments.users(in: Array(text.utf8), numbers: LotteryDocuments.ownNumbers)
        }
        #expect(error?.description == problem)
    }

    @Test(
        "an entry without a player, or a second one of the same player, is refused",
        arguments: [
            (
                #"{"lotteryList": [{"userId": 10, "void": false}, {"userId": 11, "void": false}]}"#,
                "lotteryList[1].userId: there is no user 11"
            ),
            (
                #"{"lotteryList": [{"userId": 10, "void": false}, {"userId": 10, "void": true}]}"#,
                "lotteryList[1].userId: 10 is already in lotteryList[0]"
            ),
            (#"{"lotteryList": [{"userId": 10}]}"#, "lotteryList[0].void: is missing"),
            (#"{"lotteryList": [{"userId": 10, "void": 0}]}"#, "lotteryList[0].void: is not true or false"),
        ])
    func badEntries(text: String, problem: String) throws {
        let users = try LotteryDocuments.users(in: Array(#"{"items": [\#(Self.user)]}"#.utf8))
        let error = #expect(throws: LotteryDocumentError.self) {
            try LotteryDocuments.entries(in: Array(text.utf8), of: users)
        }
        #expect(error?.description == problem)
    }

    @Test("members that are not ours are ignored, and the order stays")
    func order() throws {
        let entries = try LotteryDocuments.entries(
            in: Array(
                #"{"x": 1, "lotteryList": [{"userId": 9, "void": true, "y": []}, {"userId": 3, "void": false}]}"#.utf8))
        #expect(entries == [LotteryEntry(userID: 9, isVoid: true), LotteryEntry(userID: 3)])
    }

    @Test("a kept draw is read as it was written")
    func keptDraw() throws {
        var draw = LotteryDraw(number: 7, commitment: [UInt8](0..<32), prize: 5, entries: 1)
        let states: [(LotteryDraw.Progress?, String?)] = [
            (nil, nil),
            (.init(listDigest: [1, 255], elapsed: .zero, rounds: [.init(userID: 10, name: "é")], end: nil), "10 0\n"),
            (
                .init(
                    listDigest: [1], elapsed: .zero, rounds: [.init(userID: 10, name: "é")],
                    end: .init(seed: [2], winner: 10)), "10 0\n"
            ),
            (
                .init(
                    listDigest: [1], elapsed: .zero, rounds: [.init(userID: 10, name: "é")],
                    end: .init(seed: [2], winner: nil)), "10 1\n"
            ),
        ]
        for (progress, list) in states {
            draw.progress = progress
            let kept = KeptDraw(draw: draw, list: list)
            let data = try JSONEncoder().encode(kept)
            #expect(try JSONDecoder().decode(KeptDraw.self, from: data) == kept)
        }
    }

    @Test("states are written as the events of the page are")
    func events() throws {
        let running = LotteryViewState.Running(draw: 7, commitment: "c", listDigest: "d", entries: 2, prize: 0)
        let result = LotteryViewState.Result(
            running: running, name: "Jack", userID: 10, hasWon: true, seed: "s", isVerified: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ state: LotteryViewState) throws -> String {
            String(decoding: try encoder.encode(state), as: UTF8.self)
        }
        #expect(
            try text(.round(3, userID: 10, name: "Jack", running))
                == #"{"commitment":"c","draw":7,"entries":2,"listDigest":"d","name":"Jack","prize":0,"round":3,"state":"round","userId":10}"#
        )
        #expect(try text(.winner(result)).contains(#""seed":"s","state":"winner","userId":10,"verified":true"#))
        #expect(try text(.failure("x")) == #"{"message":"x","state":"failure"}"#)
        let landing = LotteryViewState.Landing(
            draw: 8, commitment: "c", prize: 0, entries: 2, canStart: true, wait: 0, last: result)
        #expect(try text(.landing(landing)).contains(#""last":{"commitment":"c","draw":7"#))
    }
}
