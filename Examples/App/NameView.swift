import JulietClient
import SwiftUI

/// What the player is called. A name is kept until it is sent, also without a network; of several only the newest is sent.
struct NameView: View {
    let queue: RequestQueue
    let status: JulietStatus
    @State private var name = ""
    @State private var failure: String?

    var body: some View {
        VStack(spacing: 4) {
            TextField("Your name", text: $name)
                .textFieldStyle(.roundedBorder)
                .onSubmit { Task { await rename() } }
            if let failure {
                Text(failure).foregroundStyle(.secondary)
            } else if status.queue.waiting > 0 {
                Text("It is sent when there is a network.").foregroundStyle(.secondary)
            }
        }
        .padding([.horizontal, .bottom])
        .frame(maxWidth: 420)
    }

    private func rename() async {
        do {
            try await queue.append(RenamePlayer(name: name), options: QueueOptions(uniquingKey: "name"))
            failure = nil
        } catch {
            failure = "That was not kept: \(error)"
        }
    }
}
