import EventLoop
import Logging
import OpenIDConnect

/// A provider and its keys, as its file has them.
final class IdentityKeys: Sendable {
    /// How often the file is looked at.
    static let interval: Duration = .seconds(5)

    private struct State {
        var keys = JSONWebKeySet()
        /// What the file had when it was read last; nil: it could not be read.
        var contents: [UInt8]?
        /// What was said last that is wrong with it.
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

    /// What requests call it.
    var name: String { settings.name }
    /// Whose tokens are taken.
    var rules: IdentityProvider { settings.rules }
    /// Those that were read last and made sense; at first none.
    var keys: JSONWebKeySet { state.withLock(\.keys) }

    /// Reads the file again. Nonsense, or no file, leaves the keys there are, and is logged once.
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
            return complain("\(settings.keysFile) is no JWK Set", contents: contents)
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
        logger.warning("identities.\(name).keys: \(complaint); keys of before that stay in use: \(count)")
    }
}
