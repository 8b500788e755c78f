/// Runs a closure on the process's own threads, as many as it has cores, while the loop that asks goes on with other
/// requests. The caller then goes on where it was.
///
/// In a task of its own: below `withTaskExecutorPreference(globalConcurrentExecutor)` a closure that was handed on like this
/// one began on the loop, up to its first suspension (seen with Swift 6.3.1 on Linux); one written there did not.
func offLoop<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    await Task.detached { await body() }.value
}
