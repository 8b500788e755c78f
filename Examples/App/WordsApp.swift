import GameModel
import JulietClient
import SwiftUI

/// The word of the day on iOS and macOS.
@main
struct WordsApp: App {
    var body: some Scene {
        WindowGroup { LaunchView() }
    }
}

/// Opens the session of this device, then shows the game.
struct LaunchView: View {
    @State private var model: GameModel?
    @State private var failure: String?

    var body: some View {
        Group {
            if let model {
                GameView(model: model)
            } else if let failure {
                Text(failure).padding()
            } else {
                ProgressView()
            }
        }
        .task { await open() }
    }

    private func open() async {
        guard model == nil else { return }
        do {
            let session = try await Session.open(
                JulietConfiguration(baseURL: "http://127.0.0.1:8080"),
                store: KeychainStore(service: "com.example.words"))
            let model = GameModel(session: session)
            self.model = model
            await model.begin()
        } catch {
            failure = "The Keychain cannot be read: \(error)"
        }
    }
}
