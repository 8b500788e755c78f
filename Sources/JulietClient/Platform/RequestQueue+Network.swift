#if canImport(Network)
    import Dispatch
    import Network

    extension RequestQueue {
        /// Sends waiting requests as soon as there is a network again, until the task is cancelled. Run it beside `run()`:
        ///
        /// ```swift
        /// async let work: Void = queue.run()
        /// async let network: Void = queue.flushWhenReachable()
        /// ```
        ///
        /// Requests are tried without it too, some minutes later. A network path does not mean that the service can be reached, and
        /// requests are not held back if there is no path.
        public nonisolated func flushWhenReachable() async {
            let (paths, continuation) = AsyncStream.makeStream(
                of: NWPath.Status.self, bufferingPolicy: .bufferingNewest(1))
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { continuation.yield($0.status) }
            monitor.start(queue: DispatchQueue(label: "juliet.client.network"))
            defer { monitor.cancel() }
            var last = NWPath.Status.satisfied
            // A cancelled task gets the end of the stream.
            for await status in paths {
                if status == .satisfied, last != .satisfied { await flush() }
                last = status
            }
        }
    }
#endif
