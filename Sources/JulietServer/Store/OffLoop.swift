/// Runs a closure on the process's own threads, as many as it has cores, while the calling loop serves other
/// requests. The caller then continues on its loop.
///
/// It uses a task of its own, because with `withTaskExecutorPreference(globalConcurrentExecutor)` a closure that was passed
/// as a parameter, like this one, ran on the loop up to its first suspension (seen with Swift 6.3.1 on Linux). A closure
/// written in place did not.
func offLoop<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    await Task.detached { await body() }.value
}
