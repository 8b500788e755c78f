#if canImport(Glibc)
    import Glibc
    import HTTPServer
    import Testing

    @testable import JulietServer

    @Suite("Resident memory", .serialized)
    struct ResidentMemoryTests {
        @Test("gets rid of what was freed between blocks that are in use")
        func freeMemory() throws {
            let blocks = try (0..<64 * 1024).map { _ in
                let block = try #require(malloc(1024))
                memset(block, 1, 1024)
                return block
            }
            // Every hundredth stays: too few to fill the pages, enough that the heap does not shrink by itself.
            for (index, block) in blocks.enumerated() where !index.isMultiple(of: 100) { free(block) }
            defer { for (index, block) in blocks.enumerated() where index.isMultiple(of: 100) { free(block) } }
            let before = try kibibytes("RssAnon")
            FreeMemory.release()
            let after = try kibibytes("RssAnon")
            #expect(before - after > 32 * 1024)
        }

        @Test("gets rid of code that ran, which runs again")
        func programPages() throws {
            let before = try kibibytes("RssFile")
            let ofLibraries = try residentInLibraries()
            ProgramPages.release()
            let after = try kibibytes("RssFile")
            #expect(before - after > 1024)
            // Their lines are far behind in the kernel's list.
            #expect(try ofLibraries - residentInLibraries() > 1024)
        }

        @Test("two million client addresses take no more of it than a few")
        func addresses() throws {
            var settings = LimitSettings()
            settings.requestsPerAddress = 1
            let limits = RequestLimits(settings)
            let before = try kibibytes("RssAnon")
            for number in 0..<2_000_000 as Range<UInt64> {
                let address = SocketAddress.IP(ipv6High: 0x2001_0DB8_0000_0000 + number, low: 1)
                _ = limits.secondsToWait(RequestLimits.Client(address: address, isExempt: false))
            }
            // A dictionary of them all would take 128 MiB. Other tests, which run beside this one, take some.
            #expect(try kibibytes("RssAnon") - before < 64 * 1024)
        }

        /// How much of the code of libraries is resident, in KiB.
        private func residentInLibraries() throws -> Int {
            let file = try #require(fopen("/proc/self/smaps", "re"))
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 4096)
            var (sum, isOfLibrary) = (0, false)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                let fields = text.split(whereSeparator: \.isWhitespace)
                if !fields[0].hasSuffix(":") {
                    isOfLibrary = fields[1] == "r-xp" && fields.last?.contains(".so") == true
                } else if isOfLibrary, fields[0] == "Rss:" {
                    sum += Int(fields[1]) ?? 0
                }
            }
            return sum
        }

        /// A line of /proc/self/status (proc(5)).
        private func kibibytes(_ name: String) throws -> Int {
            let lines = try readTextFile("/proc/self/status").split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("\(name):") })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        }
    }
#endif
