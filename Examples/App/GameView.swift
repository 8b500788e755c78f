import GameModel
import JulietClient
import SwiftUI

/// The board, what is typed, and what the player should know.
struct GameView: View {
    let model: GameModel
    @FocusState private var isTyping: Bool
    @State private var typed = ""

    var body: some View {
        VStack(spacing: 16) {
            if let game = model.game {
                BoardView(game: game, entry: model.entry)
                if game.state == .playing {
                    field(for: game)
                } else {
                    Text(game.state == .won ? "Won!" : "The word was \((game.secret ?? "?").uppercased()).")
                        .font(.headline)
                }
            } else if model.isBusy {
                ProgressView()
            }
            if let message = model.message {
                Text(message).foregroundStyle(.secondary)
            }
            if model.needsSignIn {
                Button("Sign in again") { Task { await model.signInAgain() } }
            } else if model.game == nil, !model.isBusy {
                Button("Try again") { Task { await model.begin() } }
            }
            if let code = model.recoveryCode {
                DisclosureGroup("Recovery code") {
                    Text(code).font(.body.monospaced()).textSelection(.enabled)
                }
            }
        }
        .padding()
        .frame(maxWidth: 420)
    }

    private func field(for game: V2.Game) -> some View {
        TextField("Guess", text: $typed)
            .focused($isTyping)
            .autocorrectionDisabled()
            .textFieldStyle(.roundedBorder)
            .disabled(model.isBusy)
            .onAppear { isTyping = true }
            .onChange(of: typed) { _, text in take(text) }
            .onSubmit { submit() }
            .accessibilityHint("\(game.length) letters")
    }

    /// The model is the one that knows which letters fit.
    private func take(_ text: String) {
        while !model.entry.isEmpty { model.erase() }
        for letter in text { model.type(letter) }
        if typed != model.entry { typed = model.entry }
    }

    private func submit() {
        Task {
            await model.submit()
            typed = model.entry
            isTyping = true
        }
    }
}

/// The guesses with their marks, and the one that is typed.
struct BoardView: View {
    let game: V2.Game
    let entry: String

    var body: some View {
        Grid(horizontalSpacing: 6, verticalSpacing: 6) {
            ForEach(0..<game.maximumGuesses, id: \.self) { row in
                GridRow {
                    ForEach(0..<game.length, id: \.self) { column in
                        TileView(letter: letter(row, column), mark: mark(row, column))
                    }
                }
            }
        }
    }

    private func letter(_ row: Int, _ column: Int) -> String {
        let word = row < game.guesses.count ? game.guesses[row].word : row == game.guesses.count ? entry : ""
        let letters = Array(word.uppercased())
        return column < letters.count ? String(letters[column]) : ""
    }

    private func mark(_ row: Int, _ column: Int) -> V2.Mark? {
        guard row < game.guesses.count, column < game.guesses[row].marks.count else { return nil }
        return game.guesses[row].marks[column]
    }
}

/// One letter; what the colour says is also said in words.
struct TileView: View {
    let letter: String
    let mark: V2.Mark?

    var body: some View {
        Text(letter)
            .font(.title2.bold())
            .frame(width: 48, height: 48)
            .background(colour, in: RoundedRectangle(cornerRadius: 6))
            .foregroundStyle(mark == nil ? Color.primary : Color.white)
            .accessibilityLabel(letter.isEmpty ? "empty" : "\(letter), \(meaning)")
    }

    private var colour: Color {
        switch mark {
        case .correct: .green
        case .present: .orange
        case .absent: .gray
        default: .gray.opacity(0.2)
        }
    }

    private var meaning: String {
        switch mark {
        case .correct: "in place"
        case .present: "elsewhere"
        case .absent: "not in the word"
        default: "typed"
        }
    }
}
