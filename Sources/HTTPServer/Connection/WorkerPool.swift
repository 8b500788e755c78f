import EventLoop

/// The tasks that run the handlers of one loop. Inside turns of the loop only.
///
/// A task per request would cost a microsecond more: these tasks are reused and wait in a continuation between
/// requests. The last one parked works next, because its memory is warm; a new one starts only if none is parked.
final class WorkerPool {
    /// A connection with a request to answer.
    struct Job: @unchecked Sendable {
        // Invariant: only workers of the connection's loop take jobs, and they run in turns of that loop.
        let connection: HTTPConnection
    }

    /// One of the tasks.
    final class Worker {
        fileprivate var task: Task<Void, Never>?

        /// Cancels the handler that it runs, because nobody waits for its answer.
        func cancel() { task?.cancel() }
    }

    private let loop: EventLoop
    private var parked: [UnsafeContinuation<Job?, Never>] = []
    private var isClosed = false

    /// Parked workers beyond this number end; each keeps about 1 KiB.
    private let maximumParked = 256

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Gives a request to a worker. It is answered in this turn, or as soon as its handler is done.
    func submit(_ job: Job) {
        if let worker = parked.popLast() {
            worker.resume(returning: job)
            return
        }
        let pool = Confined(self, to: loop)
        let worker = Confined(Worker(), to: loop)
        worker.value.task = Task(executorPreference: loop) {
            var next: Job? = job
            while let job = next {
                await job.connection.answer(by: worker.value)
                // A cancelled task stays cancelled, so it must not run the next request's handler.
                next = Task.isCancelled ? nil : await pool.value.nextJob()
            }
        }
    }

    /// Ends the parked workers, and the others when they are done.
    func close() {
        isClosed = true
        let workers = parked
        parked = []
        for worker in workers { worker.resume(returning: nil) }
    }

    /// Parks until there is work.
    ///
    /// Unchecked, since a continuation leaves `parked` exactly when it is resumed, and it always is: by `submit` or
    /// `close`.
    private func nextJob() async -> Job? {
        guard !isClosed, parked.count < maximumParked else { return nil }
        return await withUnsafeContinuation { parked.append($0) }
    }
}
