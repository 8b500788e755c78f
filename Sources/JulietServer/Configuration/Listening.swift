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
