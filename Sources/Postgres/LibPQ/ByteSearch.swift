#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension [UInt8] {
    /// Where a byte is first in a part of the array (`memchr`, which looks at many bytes at a time).
    func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        return unsafe withUnsafeBytes { bytes in
            let part = unsafe bytes[range]
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + part.startIndex, Int32(byte), part.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
