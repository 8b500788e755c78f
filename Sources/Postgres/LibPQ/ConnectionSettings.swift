import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keywords and values of one attempt to connect, made of a ``PostgresConfiguration``.
struct ConnectionSettings: Sendable {
    /// In libpq's order: the connection string as the first `dbname`, later ones win.
    private(set) var settings: [(keyword: String, value: String)]
    /// The hosts as libpq finds them in the connection string, a service file or the environment.
    private var hosts: [Host]
    /// Whether the server's certificate must be one for its name, by an authority that is trusted.
    private let verifiesCertificates: Bool

    /// Asks the name service for the addresses of a name; none if it does not know it. Blocks.
    var addresses: @Sendable (String) -> [String] = Self.addresses(of:)

    /// Where a connection ended up.
    struct Address: Equatable {
        let name: String
        let address: String
        let port: String
    }

    private struct Host {
        var name: String
        var address: String
        var port: String

        /// Whether libpq would ask the name service for it, and wait for the answer.
        var needsResolution: Bool {
            address.isEmpty && !name.isEmpty && !name.hasPrefix("/") && !name.hasPrefix("@")
        }

        /// Whether connections stay on this machine: a socket in the file system, or loopback.
        var isLocal: Bool {
            let place = address.isEmpty ? name : address
            return place.isEmpty || place.hasPrefix("/") || place.hasPrefix("@") || place == "localhost"
                || place == "::1"
                || place.hasPrefix("127.") && place.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
        }

        /// Whether a connection to this address went to the host.
        func has(_ other: Address) -> Bool {
            port == other.port && name == other.name && (address.isEmpty || address == other.address)
        }
    }

    /// - Throws: ``PostgresError`` `.configuration` for a connection string that libpq cannot read.
    init(_ configuration: PostgresConfiguration, sessionSettings: [(name: String, value: String)]) throws(PostgresError)
    {
        if !configuration.connectionString.isEmpty { try Self.check(configuration.connectionString) }
        settings = [("dbname", configuration.connectionString)]
        if configuration.connectionString.isEmpty { settings = [] }
        settings.append(("fallback_application_name", configuration.applicationName))
        settings += configuration.parameters.sorted { $0.key < $1.key }.map { (keyword: $0.key, value: $0.value) }
        if let timeout = configuration.tcpUserTimeout {
            settings.append(("tcp_user_timeout", "\(timeout.wholeMilliseconds)"))
        }
        // Every text codec of the module is UTF-8.
        settings.append(("client_encoding", "UTF8"))
        var known = Self.effective(settings)
        if !sessionSettings.isEmpty {
            // What the connection string says comes last and wins.
            let options = sessionSettings.map { "-c \($0.name)=\(Self.escaped($0.value))" } + [known["options"] ?? ""]
            settings.append(("options", options.joined(separator: " ")))
        }
        // libpq passes over empty values, and would go on to the address of the connection string.
        if configuration.parameters["hostaddr"] == "" { known["hostaddr"] = nil }
        hosts = Self.hosts(known)
        verifiesCertificates = known["sslmode"] == "verify-full"
    }

    /// Whether all servers are on this machine, or have to prove by a certificate that they are those that were named.
    var areServersProven: Bool { verifiesCertificates || hosts.allSatisfy(\.isLocal) }

    /// Whether connecting would wait for the name service.
    var needsResolution: Bool { hosts.contains(where: \.needsResolution) }

    /// How many hosts, or addresses, there are to try.
    var hostCount: Int { hosts.count }

    /// Looks the hosts' names up, so that libpq need not. Blocks: not on a loop.
    ///
    /// libpq resolves names inside `PQconnectPoll`, and waits. Given `hostaddr` it does not, and still checks
    /// certificates against `host`.
    mutating func resolve() {
        hosts = hosts.flatMap { host in
            guard host.needsResolution else { return [host] }
            // A name that nobody knows today is left out: libpq would look it up once more, and wait.
            return addresses(host.name).map { Host(name: host.name, address: $0, port: host.port) }
        }
        applyHosts()
    }

    /// The same for those hosts alone that have one of these addresses; `nil` if none has.
    func hosts(among addresses: [Address]) -> ConnectionSettings? {
        only { host in addresses.contains { host.has($0) } }
    }

    /// The same without the hosts that have one of these addresses; `nil` if that leaves none.
    ///
    /// libpq tries the hosts in order, but leaves timeouts to its caller: one silent host would keep it from the others for
    /// ever.
    func hosts(notAmong addresses: [Address]) -> ConnectionSettings? {
        only { host in !addresses.contains { host.has($0) } }
    }

    private func only(_ isWanted: (Host) -> Bool) -> ConnectionSettings? {
        var others = self
        others.hosts = hosts.filter(isWanted)
        guard !others.hosts.isEmpty else { return nil }
        if others.hosts.count < hosts.count { others.setHosts() }
        return others
    }

    /// Begins the next attempt with the host that has this address, if it is among them.
    mutating func rotate(to address: Address) {
        guard let index = hosts.firstIndex(where: { $0.has(address) }), index > 0 else { return }
        hosts = Array(hosts[index...] + hosts[..<index])
        applyHosts()
    }

    private mutating func applyHosts() {
        guard hosts.count > 1 || hosts.contains(where: { !$0.address.isEmpty }) else { return }
        setHosts()
    }

    private mutating func setHosts() {
        settings.removeAll { ["host", "hostaddr", "port"].contains($0.keyword) }
        settings.append(("host", hosts.map(\.name).joined(separator: ",")))
        settings.append(("hostaddr", hosts.map(\.address).joined(separator: ",")))
        settings.append(("port", hosts.map(\.port).joined(separator: ",")))
    }

    private static func hosts(_ known: [String: String]) -> [Host] {
        func list(_ keyword: String) -> [String] {
            (known[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            Host(
                name: index < names.count ? names[index] : "", address: index < addresses.count ? addresses[index] : "",
                port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "")
        }
    }

    /// Blanks and backslashes in `options` are escaped by a backslash (libpq, "options").
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            if character == " " || character == "\\" { text.append("\\") }
            text.append(character)
        }
    }

    /// What libpq makes of keywords, connection string, service file and environment, in its own order of precedence.
    ///
    /// No function of libpq tells all of it before it connects. `PQconndefaults` tells the defaults, the environment and the
    /// service that `PGSERVICE` names, `PQconninfoParse` what a connection string says, and neither expands a `service=`
    /// that stands in the string. So libpq is given a value that it refuses after it has put everything together and
    /// before it opens a socket.
    private static func effective(_ settings: [(keyword: String, value: String)]) -> [String: String] {
        let handle = ConnectionHandle(settings: settings + [("target_session_attrs", "none of these")])
        let options = unsafe handle.options()
        defer { unsafe PQconninfoFree(options) }
        return unsafe dictionary(options)
    }

    private static func check(_ text: String) throws(PostgresError) {
        guard let said = fault(in: text) else { return }
        throw PostgresError(
            .configuration, reason: "the connection string cannot be parsed\(said.isEmpty ? "" : ": \(said)")")
    }

    /// What libpq says is wrong with a connection string, without what may be a password; empty: nothing that can be shown;
    /// nil: it can be parsed.
    static func fault(in text: String) -> String? {
        var said: UnsafeMutablePointer<CChar>?
        if let options = unsafe PQconninfoParse(text, &said) {
            unsafe PQconninfoFree(options)
            return nil
        }
        guard let message = unsafe said else { return "" }
        defer { unsafe PQfreemem(message) }
        return ConnectionStringFault(message: unsafe String(cString: message), of: text).reason
    }

    /// The passwords in a connection string; nil: it cannot be parsed. libpq marks them as not to be shown (`dispchar`).
    static func passwords(in text: String) -> [String]? {
        guard let options = unsafe PQconninfoParse(text, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var passwords: [String] = []
        var option = unsafe options
        while unsafe option.pointee.keyword != nil {
            if let value = unsafe option.pointee.val, let mark = unsafe option.pointee.dispchar,
                unsafe String(cString: mark) == "*"
            {
                passwords.append(unsafe String(cString: value))
            }
            unsafe option += 1
        }
        return passwords.filter { !$0.isEmpty }
    }

    private static func dictionary(_ options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        var known: [String: String] = [:]
        guard var option = unsafe options else { return known }
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                known[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return known
    }

    private static func addresses(of name: String) -> [String] {
        var hints = unsafe addrinfo()
        #if canImport(Darwin)
            unsafe hints.ai_socktype = SOCK_STREAM
        #else
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { unsafe freeaddrinfo(found) }
        var addresses: [String] = []
        var next = unsafe found
        while let entry = unsafe next {
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
                let failure = unsafe getnameinfo(
                    entry.pointee.ai_addr, entry.pointee.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil,
                    0,
                    NI_NUMERICHOST)
                guard failure == 0, let text = buffer.baseAddress else { return }
                addresses.append(unsafe String(cString: text))
            }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return addresses
    }
}
