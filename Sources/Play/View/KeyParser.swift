import PlayPresenter

/// Makes keys of the bytes a terminal sends (ECMA-48, UTF-8), however reads cut them.
///
/// Of keys that send a sequence only the arrows up and down are reported; others, the terminal's own reports and bytes that are
/// not UTF-8 are ignored. A lone Escape differs from the start of a sequence only in that nothing follows: call `flush()` when
/// nothing has come for a moment.
package struct KeyParser: Sendable {
    private enum State {
        /// Between keys.
        case ground
        /// In a character of UTF-8: the bytes so far, and how many it has.
        case character([UInt8], length: Int)
        /// Behind Escape.
        case escape
        /// Behind ESC [, up to a final byte; bare while nothing stands between.
        case control(isBare: Bool)
        /// Behind ESC O: one more byte.
        case single
        /// In a string of the terminal's (ESC ] and its kin), up to BEL or ESC \.
        case string
        /// Behind an Escape in such a string.
        case stringEscape
    }

    private var state = State.ground

    package init() {}

    /// Whether an Escape waits for what may follow it.
    package var isUndecided: Bool {
        if case .escape = state { true } else { false }
    }

    /// Takes what was read.
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { take($0) }
    }

    /// Nothing has followed: an Escape that waits was the key.
    package mutating func flush() -> [Key] {
        guard isUndecided else { return [] }
        state = .ground
        return [.escape]
    }

    private mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .ground:
            return ground(byte)
        case .character(let bytes, let length):
            return character(bytes, length: length, byte)
        case .escape:
            return escape(byte)
        case .control(let isBare):
            // 0x20...0x3F are parameters and intermediates, 0x40...0x7E end it, anything else breaks it off.
            switch byte {
            case 0x20...0x3F:
                state = .control(isBare: false)
            case 0x40...0x7E:
                state = .ground
                return isBare ? arrow(byte) : nil
            default:
                return ground(byte)
            }
        case .single:
            state = .ground
            return arrow(byte)
        case .string:
            if byte == 0x07 || byte == 0x18 { state = .ground } else if byte == 0x1B { state = .stringEscape }
        case .stringEscape:
            if byte == 0x5C { state = .ground } else { return escape(byte) }
        }
        return nil
    }

    private func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        default: nil
        }
    }

    private mutating func ground(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x1B: state = .escape
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2...0xDF: state = .character([byte], length: 2)
        case 0xE0...0xEF: state = .character([byte], length: 3)
        case 0xF0...0xF4: state = .character([byte], length: 4)
        default: break
        }
        return nil
    }

    private mutating func character(_ bytes: [UInt8], length: Int, _ byte: UInt8) -> Key? {
        guard (0x80...0xBF).contains(byte) else { return ground(byte) }
        let bytes = bytes + [byte]
        guard bytes.count == length else {
            state = .character(bytes, length: length)
            return nil
        }
        state = .ground
        // Overlong forms and surrogates are not characters either.
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return nil }
        // C1 controls are not keys.
        return character.unicodeScalars.allSatisfy { $0.value >= 0xA0 } ? .character(character) : nil
    }

    private mutating func escape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .control(isBare: true)
        case UInt8(ascii: "O"): state = .single
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string
        case 0x1B:
            // Two of them: the first was the key.
            state = .escape
            return .escape
        case 0x00..<0x20:
            // Ctrl-C after an Escape still leaves.
            return ground(byte)
        default:
            // A letter with Alt held.
            state = .ground
        }
        return nil
    }
}
