#if canImport(Glibc)
    import Glibc
    import Testing

    @testable import JulietServer

    @Suite("Free memory")
    struct FreeMemoryTests {
        @Test("that lies between what is in use goes back to the system")
        func release() throws {
            let blocks = try (0..<64 * 1024).map { _ in
                let block = try #require(malloc(1024))
                memset(block, 1, 1024)
                return block
            }
            // Every hundredth stays: too few to fill the pages, enough that the heap does not shrink by itself.
            for (index, block) in blocks.enumerated() where !index.isMultiple(of: 100) { free(block) }
            defer { for (index, block) in blocks.enumerated() where index.isMultiple(of: 100) { free(block) } }
            let before = try residentSize()
            FreeMemory.release()
            let after = try residentSize()
            #expect(before - after > 32 << 20)
        }

        /// In bytes: the second number of /proc/self/statm (proc(5)) counts pages.
        private func residentSize() throws -> Int {
            let numbers = try readTextFile("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
            return try #require(numbers.dropFirst().first) * Int(getpagesize())
        }
    }
#endif
