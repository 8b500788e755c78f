/// A value that only turns of its loop may access, in a wrapper that may be passed anywhere.
///
/// This is how loop-confined classes without locks pass through `@Sendable` closures and tasks: the access is checked
/// when it happens, which costs a comparison with a thread-local variable.
public struct Confined<Value>: @unchecked Sendable {
    // Invariant: `storage` is read only inside turns of `loop`, which never overlap; `value` checks it.
    private let storage: Value

    /// The loop the value belongs to.
    public let loop: EventLoop

    /// Wraps a value that belongs to the loop.
    public init(_ value: Value, to loop: EventLoop) {
        storage = value
        self.loop = loop
    }

    /// The value. Traps outside turns of the loop.
    public var value: Value {
        loop.preconditionIsCurrent()
        return storage
    }
}
