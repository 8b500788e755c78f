// What can be asked of a queue.
extension QueueState {
    /// Whether the app should go on in the background: a request that wants it is under way, or waits for its next
    /// attempt and will get it.
    var wantsBackgroundTime: Bool {
        guard isRunning, backgroundCount > 0 else { return false }
        return inFlight > 0 || !isPaused && (!isUnauthorized || canRefreshToken)
    }

    /// The requests that have not come to their end, in the order they start.
    var waiting: [Request] { order[first...].compactMap { requests[$0] } }

    /// Whether nothing is left that could be sent.
    var isVacant: Bool { deadLetters.isEmpty && requests.values.allSatisfy(\.isCancelled) }

    /// Refuses what could never be sent.
    func check(_ entries: [QueueEntry]) throws(QueueError) {
        var created: Set<LocalIdentifier> = []
        for entry in entries {
            let isComplete = entry.references.allSatisfy {
                resolutions[$0] != nil || parents[$0] != nil || created.contains($0)
            }
            guard isComplete else { throw QueueError(.unknownIdentifier) }
            guard let local = entry.creates?.local else { continue }
            // Its children would lose their parent when a newer request takes its place.
            guard entry.uniquingKey == nil else { throw QueueError(.invalidRequest) }
            guard resolutions[local] == nil, parents[local] == nil, created.insert(local).inserted else {
                throw QueueError(.conflictingIdentifier)
            }
        }
    }
}
