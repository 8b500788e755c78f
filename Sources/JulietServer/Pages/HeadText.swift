import HTTPServer
import JulietAPI
import JulietGame

/// A language of the head of links.
enum HeadLanguage: String, Sendable {
    case english = "en"
    case german = "de"

    /// The language that a client wants most (RFC 9110 §12.5.4); of those it wants alike, the one it names first.
    init(_ headers: Headers) {
        var (best, bestQuality) = (Self.english, 0.0)
        for part in headers.values(of: "Accept-Language").joined(separator: ",").split(separator: ",") {
            let pieces = part.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard let language = pieces.first.flatMap({ Self(rawValue: String($0.prefix { $0 != "-" })) }) else {
                continue
            }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }
            let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > bestQuality { (best, bestQuality) = (language, quality) }
        }
        self = best
    }
}

/// What the head of a link says, as text, before what the service is called.
struct HeadText: Sendable, Equatable {
    let title: String
    let description: String

    private init(_ title: String, _ description: String) {
        self.title = title
        self.description = description
    }

    /// What leads to a challenge.
    init(_ link: ChallengeLink, in language: HeadLanguage) {
        let maker = link.maker.flatMap { V2.GivenName.isMade($0) ? nil : Self.isolated($0) }
        let day = Self.date(link.lastDay, in: language)
        switch language {
        case .english:
            self.init(
                maker.map { "\($0) challenges you" } ?? "A challenge",
                "A word of \(link.length) letters. "
                    + (link.isOver ? "The challenge ended on \(day)." : "You can play until \(day)."))
        case .german:
            self.init(
                maker.map { "\($0) fordert dich heraus" } ?? "Eine Herausforderung",
                "Ein Wort mit \(link.length) Buchstaben. "
                    + (link.isOver ? "Die Herausforderung endete am \(day)." : "Du kannst bis zum \(day) spielen."))
        }
    }

    /// What leads nowhere now, for a reason that the status says.
    init(refusedWith status: HTTPStatus, in language: HeadLanguage) {
        switch (status, language) {
        case (.notFound, .english):
            self.init("No such challenge", "This challenge was deleted, or never existed.")
        case (.notFound, .german):
            self.init("Keine Herausforderung", "Diese Herausforderung wurde gelöscht oder hat nie existiert.")
        case (_, .english): self.init("A challenge", "It cannot be shown now. Try again in a few minutes.")
        case (_, .german):
            self.init(
                "Eine Herausforderung",
                "Sie kann gerade nicht gezeigt werden. Versuch es in ein paar Minuten noch einmal.")
        }
    }

    /// A name whose direction changes nothing of the text around it (Unicode Standard Annex #9, isolates). Names in scripts before
    /// Hebrew need no help.
    private static func isolated(_ name: String) -> String {
        name.unicodeScalars.contains { $0.value >= 0x590 } ? "\u{2068}\(name)\u{2069}" : name
    }

    private static func date(_ day: V2.Day, in language: HeadLanguage) -> String {
        let date = GregorianCalendar.date(ofDay: day.daysSince1970)
        let month = date.month - 1
        return switch language {
        case .english: "\(date.day) \(englishMonths[month]) \(date.year)"
        case .german: "\(date.day). \(germanMonths[month]) \(date.year)"
        }
    }

    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let germanMonths = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]
}
