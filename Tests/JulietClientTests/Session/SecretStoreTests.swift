import Foundation
import JulietClient
import Testing

@Suite("Secrets in files")
struct SecretStoreTests {
    @Test("are kept for their owner alone, replaced as a whole, and forgotten")
    func files() async throws {
        let parent = try TemporaryFolder()
        let folder = parent.path + "/secrets"
        let store = FileSecretStore(folder: folder)
        #expect(try await store.load("a/b ü") == nil)
        try await store.delete("a/b ü")
        try await store.save([1, 2, 3], as: "a/b ü")
        try await store.save(Array(repeating: 7, count: 10_000), as: "a/b ü")
        try await store.save([], as: "b")
        #expect(try await FileSecretStore(folder: folder).load("a/b ü") == Array(repeating: 7, count: 10_000))
        #expect(try await store.load("b") == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["a%2Fb%20%C3%BC", "b"])
        for (path, rights) in [(folder, 0o700), (folder + "/b", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int) == rights)
        }
        try await store.delete("b")
        #expect(try await store.load("b") == nil)
    }

    @Test("a write that a crash cut off leaves the old value, and its rest goes with the next")
    func cutOff() async throws {
        let folder = try TemporaryFolder()
        let store = FileSecretStore(folder: folder.path)
        try await store.save([1], as: "s")
        try Data([9, 9]).write(to: URL(fileURLWithPath: folder.path + "/s.new"))
        #expect(try await store.load("s") == [1])
        try await store.save([2], as: "s")
        #expect(try await store.load("s") == [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
        try Data([9, 9]).write(to: URL(fileURLWithPath: folder.path + "/s.new"))
        try await store.delete("s")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("two stores of a folder write one after the other: what is kept is one's or the other's, whole")
    func twoStores() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for byte in UInt8(1)...2 {
                group.addTask {
                    let store = FileSecretStore(folder: folder.path + "/a/b")
                    for _ in 0..<100 {
                        try await store.save(Array(repeating: byte, count: 100_000 * Int(byte)), as: "s")
                        let kept = try #require(try await store.load("s"))
                        #expect(kept.count == 100_000 * Int(kept[0]) && Set(kept).count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["s"])
    }

    @Test("a folder that cannot be made is an error that says why")
    func unavailable() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let store = FileSecretStore(folder: folder.path + "/file/below")
        await #expect { try await store.save([1], as: "s") } throws: {
            ($0 as? SecretStoreError)?.code == .unavailable
        }
        await #expect { _ = try await store.load("s") } throws: { ($0 as? SecretStoreError)?.systemError == ENOTDIR }
    }
}
