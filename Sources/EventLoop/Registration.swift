/// The events that a registration wants.
public struct Interest: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes can be read, a connection can be accepted, or the peer has sent its last byte.
    public static let read = Interest(rawValue: 1)
    /// Bytes can be written.
    public static let write = Interest(rawValue: 2)
}

/// What the kernel reports of a descriptor.
public struct Readiness: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A read will not block.
    public static let readable = Readiness(rawValue: 1)
    /// A write will not block.
    public static let writable = Readiness(rawValue: 2)
    /// The peer will send no more. Reported only with an interest in reading.
    public static let readHangUp = Readiness(rawValue: 4)
    /// Both directions are closed. Reported whatever the interest.
    public static let hangUp = Readiness(rawValue: 8)
    /// An error waits to be read with `SO_ERROR`. Reported whatever the interest.
    public static let error = Readiness(rawValue: 16)
}

/// Is notified of the readiness of a descriptor.
public protocol EventHandler: AnyObject {
    /// Called inside a turn. Level-triggered: unhandled readiness is reported again.
    func handle(_ readiness: Readiness)
}

/// One descriptor under watch. Inside turns of its loop only.
public final class Registration {
    /// The descriptor.
    public let descriptor: Int32
    /// What is reported now, besides errors and hang-ups.
    public internal(set) var interest: Interest

    var handler: (any EventHandler)?
    /// The key by which the poller finds the registration.
    var tag: UInt64 = 0
    private unowned let poller: any Poller

    init(descriptor: Int32, interest: Interest, handler: any EventHandler, poller: any Poller) {
        self.descriptor = descriptor
        self.interest = interest
        self.handler = handler
        self.poller = poller
    }

    /// Changes what is reported. Costs a system call when it differs from what it was.
    public func setInterest(_ interest: Interest) {
        guard interest != self.interest, handler != nil else { return }
        self.interest = interest
        poller.update(self)
    }

    /// Ends the watch and releases the handler. No event is delivered afterwards, not even one that the kernel has
    /// reported already. Does nothing when it was called before or the loop has ended. Call before closing the
    /// descriptor.
    public func cancel() {
        guard handler != nil else { return }
        handler = nil
        poller.remove(self)
    }
}
