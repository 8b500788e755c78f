import GameModel
import JulietClient
import SwiftUI

#if os(macOS)
    import AppKit
#endif

/// The word of the day on iOS and macOS.
@main
struct WordsApp: App {
    @State private var app = AppModel()
    @Environment(\.scenePhase) private var phase

    #if os(macOS)
        // Started by `swift run`, a program has neither a place in the Dock nor the keyboard.
        init() {
            NSApplication.shared.setActivationPolicy(.regular)
            NSApplication.shared.activate()
        }
    #endif

    var body: some Scene {
        WindowGroup { LaunchView(app: app) }
            .onChange(of: phase) { _, phase in
                if phase == .active { Task { await app.becameActive() } }
            }
    }
}

/// Opens the session and the queue of this device, then shows the game.
struct LaunchView: View {
    let app: AppModel

    var body: some View {
        VStack {
            if let game = app.game {
                GameView(model: game)
            } else if app.failure == nil {
                ProgressView()
            }
            if let queue = app.queue { NameView(queue: queue, status: app.status) }
            if let failure = app.failure { Text(failure).padding() }
        }
        .task { await app.open() }
    }
}
