import Foundation
import JulietGame
import TestSupport
import Testing

/// What keys of each role may ask, over HTTP.
@Suite("Roles of keys of the admin page", .everyLayout)
struct AdminRolesTests {
    @Test("a key asks what its role allows; all else is refused, whatever is known already, and changes nothing")
    func roles() async throws {
        let database = try await TestDatabase.create()
        let (service, owner) = try await AdminClient.start(on: database)
        let player = TestService.newUser()
        try await database.psql("SELECT register_user('\(player)', NULL, NULL)")
        let reason = #""reason": "x""#
        let ofSupport = [
            "players?search=a", "player?id=\(player)", "ledger?id=\(player)", "games?id=\(player)", "together", "names",
            "trail?id=\(player)", "live",
        ]
        let (ofWords, ofOwners) = (["words", "word?language=en&word=crane"], ["figures", "trail"])
        let changesOfSupport = [
            ("energy?id=\(player)", #"{"amount": 5, \#(reason)}"#),
            ("names?part=rude", #"{"change": "refuse", \#(reason)}"#),
        ]
        let changesOfWords = [("word?language=en&word=crane", #"{"change": "retire", \#(reason)}"#)]
        // The figures of days, and what goes on, are known from here on.
        for path in ofSupport + ofWords + ofOwners { #expect(try await owner.get(path).status == 200, "\(path)") }
        for (role, reads, changes) in [
            (AdminRole.support, ofSupport, changesOfSupport), (.words, ofWords, changesOfWords),
        ] {
            let key = try await database.addAdminKey("key of \(role)".replacing(" ", with: "-"), role: role)
            let client = try await owner.with(key: key)
            #expect(try await client.get("session").json.role.text == role.rawValue)
            #expect(try await client.page().text.contains("admin.js"))
            for path in ofSupport + ofWords + ofOwners {
                let expected = reads.contains(path) ? "200" : "403 forbidden"
                #expect(try await client.get(path).summary == expected, "\(role) \(path)")
            }
            for (path, body) in changesOfSupport + changesOfWords {
                let expected = changes.contains { $0.0 == path } ? "200" : "403 forbidden"
                #expect(try await client.post(path, body).summary == expected, "\(role) \(path)")
            }
        }
        #expect(
            try await database.psql(
                """
                SELECT string_agg(action || ' ' || actor, ', ' ORDER BY id) FROM admin_actions WHERE action NOT LIKE 'key.%'
                """) == "energy.grant key-of-support, name.refuse key-of-support, word.retire key-of-words")
        try await database.expectCleanAudit()
        try await service.stop()
    }
}
