package import HTTPServer

extension SettingsReader {
    /// Where to listen instead of at a host and a port: `/run/juliet.sock`, `systemd`, `systemd:NAME`; nothing, if the
    /// setting is empty.
    mutating func listeners(_ key: String, _ summary: String) -> [HTTPListener] {
        let text = text(
            key, "", expecting: "an absolute path of at most 100 bytes, systemd or systemd:NAME", summary
        ) { text in text.isEmpty || HTTPListener(setting: text) != nil ? text : nil }
        return HTTPListener(setting: text).map { [$0] } ?? []
    }

    /// Refuses one socket for the game and for the admin address. Plain `systemd` means all that systemd has opened.
    mutating func refuseOneSocketForTwo() {
        let found = ["http.socket", "admin.socket"].compactMap { key in settings.first { $0.key == key } }
        let sockets = found.map(\.shown)
        guard found.count == 2, sockets.allSatisfy({ !["", "(none)"].contains($0) }) else { return }
        let sharesSystemd = sockets.contains("systemd") && sockets.allSatisfy { $0.hasPrefix("systemd") }
        if sockets[0] == sockets[1] || sharesSystemd {
            refuse(
                "http.socket and admin.socket: \(sockets[0]) and \(sockets[1]) are one socket; give each its own, such as "
                    + "systemd:NAME",
                sources: found.map(\.source))
        }
    }

    /// Refuses an address beside a socket that systemd has opened, which has its own.
    mutating func refuseAddressOfInheritedSocket() {
        guard let socket = settings.first(where: { $0.key == "http.socket" }), socket.shown.hasPrefix("systemd"),
            let host = settings.first(where: { $0.key == "http.host" }), host.source != "default"
        else { return }
        refuse(
            "http.host (\(host.source)) has no effect, because systemd opens the socket (http.socket, \(socket.source)): "
                + "remove it, and write the address into the socket's unit (ListenStream=)",
            sources: [host.source, socket.source])
    }
}

extension HTTPListener {
    fileprivate init?(setting text: String) {
        if text == "systemd" {
            self = .inherited()
        } else if text.hasPrefix("systemd:"), text.count > "systemd:".count {
            self = .inherited(name: String(text.dropFirst("systemd:".count)))
        } else if text.hasPrefix("/"), !text.hasSuffix("/"), text.utf8.count <= 100, !text.utf8.contains(0) {
            self = .unix(path: text)
        } else {
            return nil
        }
    }
}

extension HTTPServerConfiguration {
    /// Where it listens, for messages: `127.0.0.1:8080`, `unix:/run/juliet.sock`, `inherited`.
    package var place: String {
        let places = listeners.isEmpty ? [.tcp(host: host, port: port)] : listeners
        return places.map(\.description).joined(separator: ", ")
    }
}
