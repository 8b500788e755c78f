/// Names as players may give them, for the service and for the database.
public enum GivenNames {
    /// Names that are allowed, in any number of characters up to 24.
    public static let allowed: [String] = [
        "Ann", "a", "Zoë", "Zoe\u{308}", "A B", "a\u{A0}b", "\"\\'; --", "<b>", "7", "…", "€",
        // What children are called.
        "Nguyễn Ngọc", "Ὀδυσσεύς", "Олена", "น้ำฝน", "محمد", "مُحَمَّد", "שָׁלוֹם", "தமிழ்ச்செல்வி", "राजेश", "ড়ীং", "한글", "ㅎ", "ᄒᆞᆫ", "李小龍",
        "さくら", "ကြွေး",
        "བསྒྲུབས", "ខ្មែរ",
        // Characters that nobody sees, between letters that they join or keep apart.
        "می\u{200C}خواهم", "क्\u{200D}ष", "र्\u{200D}य", "র\u{200D}্য", "ශ්\u{200D}රී", "ക്\u{200C}ഷ",
        // Emoji.
        "🎉", "❤\u{FE0F}", "❤\u{FE0E}", "☝🏽", "☝\u{FE0F}🏽", "1\u{FE0F}\u{20E3}", "#\u{FE0F}\u{20E3}", "1\u{20E3}",
        "👩🏽\u{200D}🚀",
        "👨\u{200D}👩\u{200D}👧", "👨🏽\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👨🏿", "🏳\u{FE0F}\u{200D}🌈", "🏴\u{200D}☠\u{FE0F}", "🇩🇪",
        "🇩🇪🇫🇷",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "a🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}b",
        "©\u{FE0F}",
        // Marks: three, and those of what one sees before.
        "a\u{323}\u{302}\u{304}", "\u{301}a", "a\u{2800}b", "x\u{3000}y",
    ]

    /// Names that are not allowed because of their characters.
    public static let refused: [String] =
        [
            "", " ", "\t\n", "\u{3000}\u{A0}", "\u{2003}\u{2028}",
            // Nothing can be seen.
            "\u{2800}", "\u{2800} \u{2800}", "\u{301}", "\u{20E3}", "\u{903}", "\u{FFFC}", "\u{1D159}",
            "\u{13441}\u{13442}",
            // Control, private, unassigned characters, separators of lines.
            "a\nb", "a\tb", "a\u{7F}", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{E000}", "a\u{F0000}", "a\u{10FFFD}",
            "a\u{378}", "a\u{FFFF}", "a\u{10FFFF}",
            // Format.
            "a\u{202E}b", "a\u{2066}b", "a\u{FFF9}b", "\u{600}1", "a\u{110BD}",
            // Joiners and selectors where there is nothing to join or select.
            "a\u{200D}b", "a\u{200C}b", "\u{200D}", "Ann\u{200D}", "म\u{200D}", "\u{200C}م", "م\u{200C}\u{200C}م",
            "م\u{200D}a",
            "👩\u{200D}", "👩\u{200D}a", "👩\u{200D}\u{200D}👩", "👩\u{200C}👩", "🇩\u{200D}🇪", "1\u{200D}1", "a\u{FE0F}dmin",
            "1\u{FE0F}",
            "1\u{FE0E}\u{20E3}", "❤\u{FE0F}\u{FE0F}", "葛\u{E0100}", "a\u{FE00}",
            // Tags outside of flags, and flags of nowhere.
            "a\u{E0061}", "🏴\u{E0061}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0073}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E007F}\u{E0061}",
            "🏴\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E007F}",
            "👩\u{E0067}\u{E0062}\u{E0073}\u{E007F}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E007F}\u{FE0F}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E007F}\u{200D}☠",
            // More than three marks.
            "a\u{301}\u{302}\u{303}\u{304}", "a\u{20E3}\u{20E3}\u{20E3}\u{20E3}",
            "a\u{301}\u{301}\u{301}\u{301}\u{301}b", "\u{301}\u{302}\u{303}\u{304}a",
            "م\u{64E}\u{64E}\u{200C}\u{64E}\u{64E}",
        ]
        // The ends and the middle of each range of Default_Ignorable_Code_Point, among them the fillers of Hangul.
        + ignorable.flatMap { [$0.lowerBound, ($0.lowerBound + $0.upperBound) / 2, $0.upperBound] }
        .compactMap { Unicode.Scalar($0) }.flatMap { [String($0), "a\($0)b"] }

    private static let ignorable: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F,
        0x202A...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0,
        0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    /// What looks like the part `admin`, in some letter case.
    public static let admins: [String] = [
        "admin", "ADMIN", "The Admin 7", "sysadmins", "adm1n", "adrnin", "AdmlN", "ädmin", "a\u{308}d\u{323}min",
        "аdmin", "аԁⅿіո",
        "ΑDΜΙΝ", "ΑdmiΝ", "ａｄｍｉｎ", "𝐚𝐝𝐦𝐢𝐧", "𝕬𝕯𝕸𝕴𝕹", "ⓐⓓⓜⓘⓝ", "admın", "adm\u{131}n", "ɑdɱin", "admɩn", "Ꭺdmin",
        "ꓮꓓmin", "a̷d̷m̷i̷n̷",
    ]

    /// What does not.
    public static let noAdmins: [String] = ["a d m i n", "Adam", "Adnan", "Админа", "Dominika", "amid", "ad-min"]
}
