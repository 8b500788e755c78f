#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who runs a command.
enum SystemUser {
    /// The person as the audit trail names them: `os:` and the account, before `sudo` if it was used. No key has such a name,
    /// because names of keys have no colon.
    static var actor: String { actor(ProcessInfo.processInfo.environment) }

    /// The same for an environment.
    static func actor(_ environment: [String: String]) -> String {
        if let name = environment["SUDO_USER"], !name.isEmpty { return "os:\(name)" }
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "os:\(geteuid())" }
        return "os:\(String(cString: name))"
    }
}
