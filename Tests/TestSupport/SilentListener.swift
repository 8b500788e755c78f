import Foundation

/// An address where the kernel takes connections and nobody ever speaks.
public final class SilentListener: Sendable {
    private let descriptor: Int32

    /// Listens at an address of the loopback network.
    public init(address: String, port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = UInt16(port).bigEndian
        target.sin_addr.s_addr = inet_addr(address)
        let descriptor = descriptor
        let bound = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(descriptor, 16) == 0 else {
            throw Command.Failure(command: "listen", output: "errno \(errno)")
        }
    }

    /// Stops listening.
    public func close() { _ = Foundation.close(descriptor) }
}
