import ArgumentParser
import Foundation
import PlayOptions
import TestSupport
import Testing

@testable import juliet

@Suite("juliet play", .defaultLayout("starts servers of its own"))
struct PlayCommandTests {
    @Test("without a terminal it says that it needs one")
    func noTerminal() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Program.run(["play"], environment: ["XDG_STATE_HOME": folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.notes == "Error: the game needs a terminal: standard input and output must be one")
    }

    @Test("says what is wrong with a service or a player before it becomes another program")
    func usage() async throws {
        let both = try await Program.run(["play", "--url", "http://a", "--data", "b"])
        #expect(both.status == 64)
        #expect(both.notes.hasPrefix("Error: --url and --data name two services: give one\n"))
        let url = try await Program.run(["play", "--url", "example.org"])
        #expect(url.status == 64)
        #expect(url.notes.hasPrefix("Error: --url example.org must be an http:// or https:// URL\n"))
        let words = try await Program.run(["play", "--words", "/nowhere", "--player", ""])
        #expect(words.status == 64)
    }

    @Test("the service is --url, or what the folder says, or the one on port 8080; slashes at its end do not matter")
    func services() throws {
        let folder = try TemporaryFolder()
        try folder.write("url", "http://127.0.0.1:9000/prod/\n")
        #expect(try PlayOptions.parse(["--url", "https://a.example/"]).serviceURL() == "https://a.example")
        #expect(try PlayOptions.parse(["--data", folder.path]).serviceURL() == "http://127.0.0.1:9000/prod")
        #expect(throws: ValidationError.self) { try PlayOptions.parse(["--data", "/nowhere"]).serviceURL() }
    }

    @Test("says how to get the program of the game when it is not there")
    func missing() {
        let error = Play.becoming("juliet-play-that-is-not-there", arguments: [])
        #expect(
            error.description.hasPrefix(
                "juliet-play-that-is-not-there is not installed: it must be in the folder of juliet"))
    }
}
