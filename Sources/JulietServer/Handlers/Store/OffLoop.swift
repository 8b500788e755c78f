/// Runs a closure on the process's own threads, as many as it has cores, while the loop that asks goes on with other
/// requests. The caller then goes on where it was.
///
/// In a task of its own: `withTaskExecutorPreference(globalConcurrentExecutor)` stays on the loop (Swift 6.3, Linux).
func offLoop<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    await Task.detached { await body() }.value
}
