// A read that takes long goes on elsewhere, so that those that share its connection need not wait for it.

extension PoolState {
    /// Looks whether a place of the reads' lane is held up by a slow statement.
    ///
    /// One that has the connection to itself goes on where it is, and another connection takes the place. Of several the
    /// slow one is not known: they are stopped and run again, each by itself, and the one that is slow once more goes to a
    /// line of its own.
    mutating func relieve(_ place: Place) {
        let lane = place.lane
        guard lanes.count > 1, lane == self.lane(of: .read), !isClosing, let limit = slowReadTime(lane),
            let open = self[place].open, let batch = open.batch, !batch.statements.isEmpty,
            !batch.isCancelled, now - batch.progressed >= limit
        else { return }
        if batch.unsettled.count > 1 {
            self[place].open?.batch?.stop(becauseSlow: true)
            actions.append(.cancelBatch(open.id))
        } else if lanes[lane].waiting > 0 || !self[place].redo.isEmpty {
            if self[place].successor != nil {
                setAside(open)
                _ = self[place].takeOver()
                leaveTurnstile(place)
            } else if leases.hasRoom(within: configuration.leasedConnectionsPerLoop) {
                connect(place, after: .zero)
            }
        }
    }

    /// From when on a read is slow: later where all take long, for then it is the server.
    private func slowReadTime(_ lane: Int) -> Duration? {
        configuration.slowReadTime.map { max($0, lanes[lane].batchTime * 8) }
    }

    /// Lets a connection and its batch leave their place. It is closed when the batch has come to its end.
    private mutating func setAside(_ open: Open) {
        lastLine += 1
        lines.append(LoneLine(number: lastLine, key: nil, waiting: [], open: open, endsWithBatch: true))
        owners[open.id] = .line(lastLine)
        leases.lent += 1
    }
}

extension PoolState.Batch {
    /// The server is asked to stop what runs.
    mutating func stop(becauseSlow: Bool = false) {
        isCancelled = true
        wasCancelled = true
        isSlow = becauseSlow
    }
}
