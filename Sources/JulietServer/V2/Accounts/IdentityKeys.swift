import EventLoop
import Logging
import OpenIDConnect

/// A provider and the keys in its file.
final class IdentityKeys: Sendable {
    /// How often the file is read.
    static let interval: Duration = .seconds(5)

    private struct State {
        var keys = JSONWebKeySet()
        /// The file's contents when it was last read; nil: it could not be read.
        var contents: [UInt8]?
        /// The last complaint that was logged.
        var complaint: String?
    }

    private let settings: AccountSettings.Provider
    private let readFile: @Sendable (String) throws -> [UInt8]
    private let logger: Logger
    private let state = Locked(State())

    /// A provider without keys, until they are read.
    init(
        _ settings: AccountSettings.Provider, logger: Logger,
        readFile: @escaping @Sendable (String) throws -> [UInt8] = { try readBinaryFile($0) }
    ) {
        self.settings = settings
        self.logger = logger
        self.readFile = readFile
    }

    /// The provider's name in requests.
    var name: String { settings.name }
    /// Which tokens are accepted.
    var rules: IdentityProvider { settings.rules }
    /// The keys that were last read successfully; at first none.
    var keys: JSONWebKeySet { state.withLock(\.keys) }

    /// Reads the file again. If it is missing or not valid, the keys stay as they are, and that is logged once.
    func read() {
        let contents: [UInt8]
        do {
            contents = try readFile(settings.keysFile)
        } catch {
            return complain("cannot read \(settings.keysFile): \(error)", contents: nil)
        }
        guard state.withLock({ $0.contents != contents }) else { return }
        let keys: JSONWebKeySet
        do {
            keys = try JSONWebKeySet(json: contents)
        } catch {
            return complain("\(settings.keysFile) is not a JWK Set", contents: contents)
        }
        state.withLock { $0 = State(keys: keys, contents: contents) }
        let skipped = keys.skipped.map { "\($0.keyID ?? "key \($0.index)" ) (\($0.reason.rawValue))" }
        let rest = skipped.isEmpty ? "" : "; not usable: \(skipped.joined(separator: ", "))"
        if keys.keyIDs.isEmpty {
            logger.warning("identities.\(name).keys: no usable key, so all its tokens are refused\(rest)")
        } else {
            logger.notice("identities.\(name).keys: \(keys.keyIDs.count) keys were read\(rest)")
        }
    }

    private func complain(_ complaint: String, contents: [UInt8]?) {
        let (isNew, count) = state.withLock { state in
            defer { (state.contents, state.complaint) = (contents, complaint) }
            return (state.complaint != complaint || state.contents != contents, state.keys.keyIDs.count)
        }
        guard isNew else { return }
        logger.warning("identities.\(name).keys: \(complaint); the previous keys stay in use: \(count)")
    }
}
