import Postgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The arguments of this process as the list of processes (`ps`) shows them to everybody on the machine.
enum ShownArguments {
    private static let option = Array("--database".utf8)

    /// Overwrites the passwords in `--database` where the list reads them; `CommandLine.arguments` stays as it was typed.
    ///
    /// They are shown until then. What started this program, such as `sudo`, has arguments of its own.
    static func hidePasswords() {
        // Swift reads its copy when it is first asked.
        _ = CommandLine.arguments
        let places = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).compactMap(\.self)
        let typed = places.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        for (place, shown) in zip(places, hidingPasswords(in: typed)) {
            UnsafeMutableRawBufferPointer(start: place, count: shown.count).copyBytes(from: shown)
        }
    }

    /// The same arguments, as long as before, with `x` in the place of passwords.
    static func hidingPasswords(in arguments: [[UInt8]]) -> [[UInt8]] {
        arguments.indices.map { index in
            let argument = arguments[index]
            if index > 0, arguments[index - 1] == option { return hidingPasswords(in: argument) }
            let name = option + "=".utf8
            guard argument.starts(with: name) else { return argument }
            return name + hidingPasswords(in: Array(argument.dropFirst(name.count)))
        }
    }

    /// A connection string without its passwords. All of it is hidden if they cannot be told from the rest: if libpq cannot
    /// read it, or still finds one, because it is written in another way than it reads (`%40` for `@`).
    private static func hidingPasswords(in connectionString: [UInt8]) -> [UInt8] {
        func x(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "x"), count: count) }
        guard let passwords = passwords(in: connectionString) else { return x(connectionString.count) }
        var shown = connectionString
        for password in passwords {
            for range in shown.ranges(of: password) { shown.replaceSubrange(range, with: x(range.count)) }
        }
        guard let left = self.passwords(in: shown), !left.contains(where: passwords.contains) else {
            return x(connectionString.count)
        }
        return shown
    }

    private static func passwords(in connectionString: [UInt8]) -> [[UInt8]]? {
        PostgresConfiguration.passwords(in: String(decoding: connectionString, as: UTF8.self))?.map { Array($0.utf8) }
    }
}
