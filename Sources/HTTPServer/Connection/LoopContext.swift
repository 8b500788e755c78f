import EventLoop

/// What the connections of one loop share. Inside turns of the loop only.
final class LoopContext {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let limits: ConnectionLimits
    let workers: WorkerPool
    let admission: Admission
    let budget: BufferBudget
    /// The loop's place among the server's loops.
    let number: Int
    let handler: Handler
    let errorRenderer: ErrorRenderer

    /// Every read of the loop goes here; connections keep only what they cannot parse yet.
    var input = [UInt8](repeating: 0, count: 16384)

    /// Every response is put together here, so that it leaves with one system call.
    var output: [UInt8] = []

    var encoder = ResponseEncoder()

    let traffic: LoopTraffic

    /// The time of this turn, since the loop was made.
    var now: Duration { loop.now }

    private(set) var isDraining = false
    private var connections: [HTTPConnection] = []
    private var drainWaiters: [UnsafeContinuation<Void, Never>] = []
    /// Where the next search for a connection that gives way begins.
    private var searchStart = 0

    /// How many connections are looked at to find one that gives way, so that a flood of new ones costs little each.
    private static let longestSearch = 64
    /// How long a connection has been without a request before it gives way: a client between two requests keeps its own.
    private static let patience = Duration.seconds(1)

    /// After a large response, a larger buffer than this is released.
    private static let outputCapacity = 65536

    init(
        loop: EventLoop, number: Int, admission: Admission, budget: BufferBudget,
        configuration: HTTPServerConfiguration, handler: @escaping Handler, errorRenderer: @escaping ErrorRenderer,
        traffic: LoopTraffic = LoopTraffic()
    ) {
        self.loop = loop
        self.number = number
        self.admission = admission
        self.budget = budget
        let configuration = configuration.clamped
        self.configuration = configuration
        self.handler = handler
        self.errorRenderer = errorRenderer
        self.traffic = traffic
        limits = ConnectionLimits(configuration)
        workers = WorkerPool(loop: loop)
    }

    /// Takes a connection in.
    func add(_ connection: HTTPConnection) {
        connection.index = connections.count
        connections.append(connection)
    }

    /// Lets go of a connection that has closed.
    func remove(_ connection: HTTPConnection) {
        guard let last = connections.popLast() else { return }
        if last !== connection {
            last.index = connection.index
            connections[connection.index] = last
        }
        guard isDraining, connections.isEmpty else { return }
        let waiters = drainWaiters
        drainWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Closes a connection that has been without a request for the longest, of some of them.
    ///
    /// - Returns: Whether there was one.
    func makeRoom() -> Bool {
        var longest: (connection: HTTPConnection, since: Duration)?
        for _ in 0..<min(Self.longestSearch, connections.count) {
            searchStart = searchStart + 1 < connections.count ? searchStart + 1 : 0
            let connection = connections[searchStart]
            guard let since = connection.idleSince, now - since >= Self.patience,
                since < longest?.since ?? .nanoseconds(Int64.max)
            else { continue }
            longest = (connection, since)
        }
        return longest?.connection.giveWay() ?? false
    }

    /// Ready to put a response together.
    func resetOutput() {
        output.removeAll(keepingCapacity: output.capacity <= Self.outputCapacity)
    }

    /// Answers what has been received with `Connection: close`, closes the rest, and returns when all are closed.
    func drain() async {
        isDraining = true
        for connection in Array(connections) { connection.beginDraining() }
        if !connections.isEmpty {
            await withUnsafeContinuation { drainWaiters.append($0) }
        }
        workers.close()
    }

    /// Cuts off all connections.
    func abort() {
        for connection in Array(connections) { connection.close(abort: true) }
    }
}
