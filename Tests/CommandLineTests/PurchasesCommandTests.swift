import Foundation
import TestSupport
import Testing

@Suite("juliet purchases, run as a program", .everyLayout)
struct PurchasesCommandTests {
    private func run(_ program: Program, _ arguments: [String]) async throws -> String {
        let outcome = try await program.run(["purchases"] + arguments)
        #expect(outcome.status == 0 && outcome.notes == "", "\(outcome.notes)")
        return outcome.output.replacing(#/20\d\d-(?!0)\d\d-\d\dT[\d:.]+Z/#, with: "NOW                 ")
    }

    @Test("list has the newest first, with what became of each")
    func list() async throws {
        let program = try await Program.withPurchases()
        try await program.psql(
            "UPDATE purchases SET created_at = created_at + interval '1 second' WHERE transaction_id = 'T4'")
        let lines = try await run(program, ["list"]).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines[0] == ["time", "environment", "transaction", "state", "product", "player", "quantity", "energy"])
        let found = Set(lines.dropFirst().map { $0.dropFirst(2).joined(separator: " ") })
        #expect(
            found == [
                "T1 credited thirty ANNA 1 30", "T2 credited thirty ANNA 1 30", "T3 refunded thirty BEN 1 30",
                "T4 revoked thirty BEN 1 30", "T5 revoked",
            ])
        #expect(lines[1][2] == "T4")
        #expect(try await run(program, ["list", "--last", "1"]).split(separator: "\n").count == 2)
        let outcome = try await program.run(["purchases", "list", "--json"])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        #expect(json.count == 5 && json[0]["transaction"] as? String == "T4")
        #expect(try await program.run(["purchases", "list", "--last", "0"]).status == 64)
    }

    @Test("show has player, credit, refunds and what the store told; an unknown one is an error")
    func show() async throws {
        let program = try await Program.withPurchases()
        #expect(
            try await run(program, ["show", "T2"]) == """
                transaction   T2
                environment   Production
                state         credited
                player        ANNA
                product       thirty
                quantity      1
                energy        30
                paid          2026-01-01T00:00:00Z
                signed        2026-01-01T00:00:00Z
                presented     NOW                 
                refund dated  2026-02-02T00:00:00Z

                time                  reason    entry  change  balance
                NOW                   purchase      5     +30      115
                NOW                   refund        6     -30       85
                NOW                   refund        7     +30      115

                signed                received              applied               type             notification
                2026-02-01T00:00:00Z  NOW                   NOW                   REFUND           n1
                2026-02-02T00:00:00Z  NOW                   NOW                   REFUND_REVERSED  n2
                """)
        #expect(
            try await run(program, ["show", "T5"]).hasPrefix(
                "transaction   T5\nenvironment   Production\nstate         revoked\nnotified"))
        let json = try await program.run(["purchases", "show", "T3", "--json"]).document()
        #expect((json["purchase"] as? [String: Any])?["userID"] as? String == "BEN")
        #expect((json["changes"] as? [Any])?.count == 2 && (json["notifications"] as? [Any])?.count == 1)
        let unknown = try await program.run(["purchases", "show", "T9"])
        #expect(unknown.status == 1 && unknown.notes == #"error: there is no transaction "T9""#)
        try await program.psql("INSERT INTO purchases (environment, transaction_id) VALUES ('Sandbox', 'T1')")
        let both = try await program.run(["purchases", "show", "T1"])
        #expect(both.status == 1 && both.notes == #"error: Production and Sandbox both have "T1": give --environment"#)
        #expect(try await run(program, ["show", "T1", "--environment", "Sandbox"]).contains("awaited"))
        #expect(try await program.run(["purchases", "show", "T1", "--environment", "Xcode"]).status == 64)
    }

    @Test("replay applies what is kept, once, and changes nothing after that")
    func replay() async throws {
        let program = try await Program.withPurchases()
        #expect(try await run(program, ["replay"]) == "6 notifications applied, 0 of them new")
        try await program.psql(
            "SELECT store_notification('n7', 'signed', 'REFUND', NULL, 'Production', 'T1', NULL, '2026-02-01')")
        #expect(try await program.psql("SELECT energy FROM users WHERE id = 'ANNA'") == "115")
        #expect(try await run(program, ["replay"]) == "7 notifications applied, 1 of them new")
        #expect(try await run(program, ["replay"]) == "7 notifications applied, 0 of them new")
        #expect(try await program.psql("SELECT energy FROM users WHERE id = 'ANNA'") == "85")
        #expect(try await program.audit().status == 0)
    }

    @Test("replay names what cannot be applied, and applies the rest")
    func replayWithFailure() async throws {
        let program = try await Program.withPurchases()
        try await program.psql(
            """
            UPDATE purchases SET user_id = 'GONE' WHERE transaction_id = 'T1';
            SELECT store_notification('n0', 'signed', 'REFUND', NULL, 'Production', 'T1', NULL, '2026-02-01'),
                store_notification('n7', 'signed', 'REFUND', NULL, 'Production', 'T2', NULL, '2026-03-01')
            """)
        let outcome = try await program.run(["purchases", "replay"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "7 notifications applied, 1 of them new")
        #expect(outcome.notes.contains("the notification n0 cannot be applied: "), "\(outcome.notes)")
        let again = try await program.run(["purchases", "replay", "--json"])
        #expect(again.status == 1)
        #expect((try again.document()["failures"] as? [String: String])?.keys.sorted() == ["n0"])
    }

    @Test("users show and export list them, and after delete they name no player")
    func users() async throws {
        let program = try await Program.withPurchases()
        #expect(
            try await program.run(["users", "show", "BEN"]).output.contains(
                "purchases     1, of 30 energy in all; 1 signed by the App Store, 1 refunded"))
        let document = try await program.run(["users", "export", "BEN"]).document()
        let purchases = try #require(document["purchases"] as? [[String: Any]])
        #expect(purchases.map { $0["id"] as? String } == ["T3", "T4"])
        #expect(((purchases[0]["notifications"] as? [[String: Any]])?.first)?["payload"] as? String == "signed")
        #expect(try await program.run(["users", "delete", "BEN"]).status == 0)
        #expect(try await program.rows(thatSay: "BEN") == 0)
        #expect(try await program.run(["purchases", "show", "T3"]).output.contains("player        deleted "))
        #expect(try await program.audit().status == 0)
    }
}
