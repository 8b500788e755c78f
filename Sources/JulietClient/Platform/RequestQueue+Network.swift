#if canImport(Network)
    import Dispatch
    import Network

    extension RequestQueue {
        /// Sends waiting requests as soon as there is a network again, until the task is cancelled or the queue closed. Run it
        /// beside `run()`:
        ///
        /// ```swift
        /// async let work: Void = queue.run()
        /// async let network: Void = queue.flushWhenReachable()
        /// ```
        ///
        /// Requests are tried without it too, some minutes later. A network path does not mean that the service can be reached, and
        /// requests are not held back if there is no path.
        public nonisolated func flushWhenReachable() async {
            // None is left out: the network may go and come back while the queue is told.
            let (paths, continuation) = AsyncStream.makeStream(of: NWPath.Status.self)
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { continuation.yield($0.status) }
            monitor.start(queue: DispatchQueue(label: "juliet.client.network"))
            defer { monitor.cancel() }
            // A cancelled task gets the end of each stream.
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    var last = NWPath.Status.satisfied
                    for await status in paths {
                        if status == .satisfied, last != .satisfied { await self.flush() }
                        last = status
                    }
                }
                group.addTask { for await _ in await self.statuses() {} }
                await group.next()
                group.cancelAll()
            }
        }
    }
#endif
