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
            // Their own pages: what the process holds as a whole, other tests change at the same time.
            let pages = Set(blocks.map { UInt(bitPattern: $0) & ~4095 })
            FreeMemory.release()
            #expect(pages.count > 8192)
            #expect(pages.count(where: isResident) < pages.count / 4)
        }

        @Test("gets rid of code that ran, which runs again")
        func programPages() throws {
            let before = try kibibytes("RssFile")
            ProgramPages.release()
            let after = try kibibytes("RssFile")
            #expect(before - after > 1024)
        }

        @Test(
            "gets rid of each read-only page of a file, however many mappings there are, and of none that was changed")
        func mappings() throws {
            let size = 1 << 20
            let file = open("/proc/self/exe", O_RDONLY)
            try #require(file >= 0)
            defer { close(file) }
            let mappings = try (0..<200).map { number in
                let start = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0))
                try #require(start != MAP_FAILED)
                let bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
                let sum = stride(from: 0, to: size, by: 4096).reduce(0) { $0 &+ Int(bytes[$1]) }
                try #require(sum > 0)
                if number.isMultiple(of: 2) { bytes[4096] ^= 1 }
                mprotect(start, size, PROT_READ)
                return bytes
            }
            defer { for mapping in mappings { munmap(mapping.baseAddress, size) } }
            let original = mappings[1][4096]
            ProgramPages.release()
            for (number, mapping) in mappings.enumerated() {
                let isChanged = number.isMultiple(of: 2)
                #expect(try resident(at: mapping) == (isChanged ? size / 1024 : 0))
                #expect(mapping[4096] == (isChanged ? original ^ 1 : original))
            }
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

        /// Whether a page is resident (mincore(2)).
        private func isResident(page: UInt) -> Bool {
            var state: UInt8 = 0
            return mincore(UnsafeMutableRawPointer(bitPattern: page), 4096, &state) != 0 || state & 1 == 1
        }

        /// How much of a mapping is resident, in KiB.
        private func resident(at mapping: UnsafeMutableRawBufferPointer) throws -> Int? {
            let file = try #require(fopen("/proc/self/smaps", "re"))
            defer { fclose(file) }
            let start = String(UInt(bitPattern: mapping.baseAddress), radix: 16) + "-"
            var line = [CChar](repeating: 0, count: 4096)
            var isFound = false
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if text.hasPrefix(start) { isFound = true }
                if isFound, text.hasPrefix("Rss:") {
                    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                }
            }
            return nil
        }

        /// A line of /proc/self/status (proc(5)).
        private func kibibytes(_ name: String) throws -> Int {
            let lines = try readTextFile("/proc/self/status").split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("\(name):") })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        }
    }
#endif
