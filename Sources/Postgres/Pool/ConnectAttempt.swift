/// One try to get a connection, over all addresses, as a value: it is told what became of its roads and says what is to be
/// done. It does no I/O and knows no clock.
///
/// Addresses known to be silent are tried beside the others. As long as they are, the others are asked again and again: a
/// standby that refuses takes over when the silent primary is given up, and must not be found only after that.
struct ConnectAttempt {
    /// A connection that is being made.
    enum Road {
        /// To the addresses that are not known to be silent, one after the other.
        case others
        /// To those that are.
        case silent
    }

    /// What is to be done. In this order.
    enum Action {
        /// Make a connection to one of these addresses.
        case open(Road, ConnectionSettings)
        /// Wait, then say ``ConnectAttempt/waited()``.
        case wait
        /// It is over: all roads but one that is open are closed.
        case end(Result<Road, PostgresError>)
    }

    private var settings: ConnectionSettings
    private var isOver = false
    private var triesOthers = false
    private var triesSilent = false

    /// - Parameter settings: All addresses, names resolved, the preferred one first.
    init(_ settings: ConnectionSettings) { self.settings = settings }

    /// Takes the first steps.
    mutating func begin(_ addresses: inout KnownAddresses) -> [Action] {
        guard let others = settings.hosts(notAmong: addresses.silent) else {
            // None is left to be preferred to them.
            addresses.silent = []
            return [tryOthers()]
        }
        let silent = settings.hosts(among: addresses.silent)
        settings = others
        guard let silent else { return [tryOthers()] }
        triesSilent = true
        return [tryOthers(), .open(.silent, silent)]
    }

    /// A road leads to an open connection.
    mutating func opened(_ road: Road, at address: ConnectionSettings.Address, _ addresses: inout KnownAddresses)
        -> [Action]
    {
        addresses = KnownAddresses(preferred: address)
        return end(.success(road))
    }

    /// A road leads nowhere.
    ///
    /// - Parameter address: Where it ended.
    mutating func failed(
        _ road: Road, _ error: PostgresError, at address: ConnectionSettings.Address?,
        _ addresses: inout KnownAddresses
    ) -> [Action] {
        guard !isOver else { return [] }
        if error.isSilence, let address, !addresses.silent.contains(address) { addresses.silent.append(address) }
        switch road {
        case .silent:
            triesSilent = false
            // The others refuse: whoever wants a connection hears it, and asks again.
            return triesOthers ? [] : end(.failure(error))
        case .others:
            triesOthers = false
            // Silence of one address is no reason not to try the next; everything else libpq has tried itself.
            if error.isSilence, let others = settings.hosts(notAmong: addresses.silent) {
                settings = others
                return [tryOthers()]
            }
            return triesSilent ? [.wait] : end(.failure(error))
        }
    }

    /// Time to ask the others once more.
    mutating func waited() -> [Action] { isOver || triesOthers ? [] : [tryOthers()] }

    private mutating func tryOthers() -> Action {
        triesOthers = true
        return .open(.others, settings)
    }

    private mutating func end(_ result: Result<Road, PostgresError>) -> [Action] {
        isOver = true
        return [.end(result)]
    }
}

/// What attempts have found out about addresses.
struct KnownAddresses {
    /// The one that answered last: it is tried first, so that a silent neighbour costs its time only once.
    var preferred: ConnectionSettings.Address?
    /// Those that were silent since one last answered: the others need not wait for them any more.
    var silent: [ConnectionSettings.Address] = []
}
