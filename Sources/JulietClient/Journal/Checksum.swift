/// CRC-32C (RFC 3720 §12.1, the polynomial of Castagnoli), eight bytes at a time.
struct Checksum {
    private var register: UInt32 = 0xFFFF_FFFF

    /// The checksum of what has been taken in.
    var value: UInt32 { ~register }

    /// The checksum of bytes.
    static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    /// Takes bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        var crc = register
        var offset = 0
        Self.tables.withUnsafeBufferPointer { tables in
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word >> 32)
                crc =
                    tables[1792 + Int(low & 0xFF)] ^ tables[1536 + Int(low >> 8 & 0xFF)]
                    ^ tables[1280 + Int(low >> 16 & 0xFF)] ^ tables[1024 + Int(low >> 24)]
                crc ^=
                    tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)]
                    ^ tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                offset += 8
            }
            while offset < bytes.count {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                crc = tables[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8
                offset += 1
            }
        }
        register = crc
    }

    /// Eight tables of 256: the n-th has the effect of a byte that n zero bytes follow.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let crc = tables[index - 256]
            tables[index] = tables[Int(crc & 0xFF)] ^ crc >> 8
        }
        return tables
    }()
}
