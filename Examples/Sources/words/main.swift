import Foundation
import GameModel
import JulietClient

// The word of the day by lines: `swift run words [http://127.0.0.1:8080 [FOLDER]]`.

let baseURL = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
let folder = CommandLine.arguments.dropFirst(2).first ?? NSHomeDirectory() + "/.local/state/words"

let session = try await Session.open(JulietConfiguration(baseURL: baseURL), store: FileSecretStore(folder: folder))
let model = GameModel(session: session)
await model.begin()
if let code = model.recoveryCode { print("Your recovery code: \(code)") }
while let game = model.game {
    if let guess = game.guesses.last {
        print(guess.marks.map { $0 == .correct ? "🟩" : $0 == .present ? "🟨" : "⬜️" }.joined())
    }
    if let message = model.message { print(message) }
    guard game.state == .playing else {
        print(game.state == .won ? "Won." : "Lost: the word was \((game.secret ?? "?").uppercased()).")
        break
    }
    print("\(game.guesses.count + 1) of \(game.maximumGuesses):", terminator: " ")
    guard let line = readLine() else { break }
    while !model.entry.isEmpty { model.erase() }
    for letter in line { model.type(letter) }
    if model.canSubmit { await model.submit() } else { print("\(game.length) letters, please.") }
}
if model.game == nil { print(model.message ?? "") }
