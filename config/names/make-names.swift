// Writes what the database knows of names: the kinds of characters, the characters that look like Latin letters, and the
// parts of refused.txt. Usage: swift config/names/make-names.swift CONFUSABLES, a confusables.txt of Unicode.
import Foundation

let folder = URL(filePath: CommandLine.arguments[0]).standardizedFileURL.deletingLastPathComponent()
let target = folder.appending(path: "../../schema/names").standardizedFileURL

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("make-names: \(message)\n".utf8))
    exit(1)
}

// MARK: Text of SQL

/// A scalar as an E'' literal has it.
func escaped(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return scalar.value < 0x10000
        ? "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        : "\\U" + String(repeating: "0", count: 8 - hex.count) + hex
}

/// Parts of one literal, in lines of at most 118 characters.
func literal(_ parts: [String], indent: String) -> String {
    var lines = [""]
    for part in parts {
        if lines[lines.count - 1].count + part.count > 114 - indent.count { lines.append("") }
        lines[lines.count - 1] += part
    }
    return "E'" + lines.joined(separator: "'\n\(indent)'") + "'"
}

func write(_ name: String, _ text: String) {
    do { try Data(text.utf8).write(to: target.appending(path: name)) } catch { fail("\(error)") }
}

// MARK: The kinds of characters

let all = (UInt32(1)...0x10FFFF).compactMap { Unicode.Scalar($0) }

/// Scalars as what stands between the brackets of a regular expression.
func ranges(_ holds: (Unicode.Scalar) -> Bool) -> [String] {
    var ranges: [ClosedRange<UInt32>] = []
    for scalar in all where holds(scalar) {
        if let last = ranges.last, last.upperBound + 1 == scalar.value {
            ranges[ranges.count - 1] = last.lowerBound...scalar.value
        } else {
            ranges.append(scalar.value...scalar.value)
        }
    }
    return ranges.compactMap { range in
        guard let first = Unicode.Scalar(range.lowerBound), let last = Unicode.Scalar(range.upperBound) else {
            return nil
        }
        return first == last ? escaped(first) : escaped(first) + "-" + escaped(last)
    }
}

func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
}

func isMark(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return [.nonspacingMark, .enclosingMark].contains(properties.generalCategory)
        && !properties.isDefaultIgnorableCodePoint
}

/// As Unicode.Scalar.isBlank in Sources/JulietAPI/V2/NameRule.swift.
let blanks: Set<UInt32> = [0x2800, 0xFFFC, 0x13441, 0x13442, 0x1D159]

func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return [.nonspacingMark, .spacingMark, .enclosingMark, .spaceSeparator].contains(category)
        || blanks.contains(scalar.value)
}

func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.value > 0x7F && !(0x1F1E6...0x1F1FF).contains(scalar.value)
}

/// As Unicode.Scalar.joins there.
let joining: [ClosedRange<UInt32>] = [
    0x600...0x7FF, 0x840...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0x1B00...0x1B7F, 0xA840...0xA87F, 0xA980...0xA9DF,
    0x10D00...0x10D3F, 0x1E900...0x1E95F,
]

func joins(_ scalar: Unicode.Scalar) -> Bool {
    guard joining.contains(where: { $0.contains(scalar.value) }), !isRefused(scalar) else { return false }
    switch scalar.properties.generalCategory {
    case .otherLetter, .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter: return true
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
}

let newest = all.compactMap(\.properties.age?.major).max() ?? 0
let kinds: [(String, (Unicode.Scalar) -> Bool)] = [
    ("refused", isRefused), ("mark", isMark), ("unseen", isUnseen), ("emoji", isEmoji), ("joining", joins),
]
let classes = kinds.map { name, holds in
    "        WHEN '\(name)' THEN\n            " + literal(ranges(holds), indent: "            ")
}
write(
    "characters.sql",
    """
    -- The characters of a kind (Unicode \(newest)), as a bracket expression has them, as config/names/make-names.swift writes them.
    -- refused: control, format, private, unassigned and ignorable characters and separators of lines; mark: marks that
    -- take no place of their own; unseen: all marks, spaces and blanks; emoji: but digits and flags' letters; joining:
    -- letters and marks of scripts that join.
    --
    -- Called by: may_be_seen, without_marks.
    CREATE OR REPLACE FUNCTION characters(kind text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE kind
    \(classes.joined(separator: "\n"))
        END
    $$;

    """)

// MARK: What looks like Latin letters

guard CommandLine.arguments.count == 2,
    let confusables = try? String(contentsOf: URL(filePath: CommandLine.arguments[1]), encoding: .utf8),
    let version = confusables.firstMatch(of: #/# Version: ([0-9.]+)/#)?.output.1
else { fail("usage: swift config/names/make-names.swift CONFUSABLES, a confusables.txt of Unicode") }

/// As the migration's bare_name does, and without all marks.
func bare(_ text: String) -> String {
    let scalars = text.precomposedStringWithCompatibilityMapping.lowercased().decomposedStringWithCompatibilityMapping
        .unicodeScalars.filter { !isMark($0) }
    let letters: [Unicode.Scalar: String] = [
        "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "ß": "ss", "æ": "ae", "œ": "oe",
    ]
    return scalars.map { letters[$0] ?? String($0) }.joined()
}

/// As look_alike ends: letters that look alike in some letter case are one.
func folded(_ text: String) -> String {
    let alike: [Character: String] = ["i": "l", "1": "l", "|": "l", "0": "o", "m": "rn"]
    return text.map { alike[$0] ?? String($0) }.joined()
}

func text(_ field: Substring) -> String {
    let scalars = field.split(whereSeparator: \.isWhitespace).compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
    }
    return String(String.UnicodeScalarView(scalars))
}

var single: [String: [Unicode.Scalar]] = [:]
var several: [(Unicode.Scalar, String)] = []
for line in confusables.split(whereSeparator: \.isNewline) {
    let fields = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0].split(separator: ";")
    guard fields.count == 3 else { continue }
    let looks = folded(bare(text(fields[1])))
    let source = text(fields[0]).unicodeScalars
    guard source.count == 1, let scalar = source.first, !scalar.isASCII, folded(bare(String(scalar))) != looks,
        !looks.isEmpty, looks.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
    else { continue }
    if looks.utf8.count == 1 { single[looks, default: []].append(scalar) } else { several.append((scalar, looks)) }
}
let letters = single.keys.sorted()
let from = letters.flatMap { (single[$0] ?? []).sorted().map(escaped) }
let to = letters.flatMap { Array(repeating: $0, count: single[$0]?.count ?? 0) }
let groups = Dictionary(grouping: several, by: \.1).mapValues { $0.map(\.0).sorted() }
let pairs = groups.keys.sorted().flatMap { looks in
    (groups[looks] ?? []).map { "        shown := replace(shown, E'\(escaped($0))', '\(looks)');" }
}
let ligatures = groups.keys.sorted().flatMap { groups[$0] ?? [] }.map(escaped)
write(
    "latin_letters.sql",
    """
    -- Writes the Latin letters and digits that characters of other scripts look like, in small letters, as
    -- config/names/make-names.swift makes them of Unicode's confusables.txt \(version) (UTS #39; licence:
    -- config/names/LICENSE-UNICODE): what leads to Latin letters, without what bare_name writes so by itself.
    --
    -- Called by: look_alike, name_looks.
    CREATE OR REPLACE FUNCTION latin_letters(shown text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
        IF shown !~ E'[^\\u0001-\\u007F]' THEN RETURN shown; END IF;
        -- Most names have none of these.
        IF shown ~ \(literal(["["] + ligatures + ["]"], indent: "        "))
        THEN
    \(pairs.joined(separator: "\n"))
        END IF;
        RETURN translate(shown,
            \(literal(from, indent: "        ")),
            \(literal(to, indent: "        ")));
    END
    $$;

    """)

// MARK: The parts

/// Items with commas between them, in lines of at most 118 characters.
func wrapped(_ items: [String]) -> String {
    var lines = [""]
    for (place, item) in items.enumerated() {
        let text = place == items.count - 1 ? item : item + ","
        if lines[lines.count - 1].count + text.count > 118 { lines.append("") }
        lines[lines.count - 1] += text
    }
    return lines.joined(separator: "\n")
}

guard let list = try? String(contentsOf: folder.appending(path: "refused.txt"), encoding: .utf8) else {
    fail("refused.txt cannot be read")
}
let parts = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
guard Set(parts).count == parts.count, parts.allSatisfy({ !$0.contains("'") && $0 == $0.lowercased() }) else {
    fail("refused.txt: a line is there twice, or not in small letters")
}
write(
    "carried_refused_parts.sql",
    """
    -- The parts of config/names/refused.txt, as config/names/make-names.swift writes them.
    --
    -- Called by: refresh_refused_names.
    CREATE OR REPLACE FUNCTION carried_refused_parts() RETURNS text[]
    LANGUAGE sql IMMUTABLE AS $$ SELECT '{
    \(wrapped(parts.map { $0.contains(" ") ? "\"\($0)\"" : String($0) }))
    }'::text[] $$;

    """)
