import JulietClient
import PlayUseCase

/// A challenge that is being made.
extension Presenter {
    /// Columns that sentences may take.
    private static let textWidth = 30

    func making(_ desk: Desk) -> [Line] {
        guard let making = desk.making else { return [] }
        let mistake = desk.notice.map { sentence(text($0, desk), .alert) }
        switch making.step {
        case .kind:
            return [choice("J", "Juliet chooses the word")]
                + sentence("You do not know the word, so you can play too.") + [Line()]
                + [choice("O", "A word of your own")] + sentence("The others play, and you see their results.")
        case .word:
            let language = making.wish.language.map { [Line(), choice("↑ ↓", "Language", $0)] } ?? []
            return field("The word:", desk.entry) + (mistake ?? sentence("It has 4 to 8 letters."))
                + (desk.languages.count > 1 ? language : [])
        case .hint:
            return field("Hint (optional):", desk.entry)
                + (mistake ?? sentence("Everybody who opens the challenge sees it."))
        case .name:
            return field("Your name, for your friends:", desk.entry)
                + (mistake ?? sentence("Until now it is \(desk.saved.player?.name ?? "")."))
        case .terms:
            return (mistake.map { $0 + [Line()] } ?? []) + terms(making.wish, desk)
        case .anyWord:
            let offer =
                "You can use this word anyway. It is in no list of this language, so any letters count as a guess."
            return [Line(shown(making.wish), .strong), Line()] + (mistake ?? []) + [Line()] + sentence(offer, .plain)
        }
    }

    private func field(_ label: String, _ entry: [Character]) -> [Line] {
        [Line(label), Line()] + wrapped(String(entry) + "_", to: Self.textWidth).map { Line($0, .strong) } + [Line()]
    }

    private func sentence(_ text: String, _ style: Style = .faint) -> [Line] {
        wrapped(text, to: Self.textWidth).map { Line($0, style) }
    }

    private func shown(_ wish: ChallengeWish) -> String { (wish.word ?? "").inUpperCase(of: wish.language ?? "") }

    private func terms(_ wish: ChallengeWish, _ desk: Desk) -> [Line] {
        var lines = [wish.word == nil ? Line("Juliet chooses the word") : Line(shown(wish), .strong)]
        if wish.isAnyWord { lines.append(Line("Any letters count as a guess", .faint)) }
        if let hint = wish.hint { lines += sentence("Hint: \(hint)") }
        lines.append(Line())
        if wish.word == nil, let usual = desk.lists.first, desk.lists.count > 1 {
            let list = "\(wish.language ?? usual.language), \(wish.length ?? usual.length) letters"
            lines.append(choice("W", "Words", list))
        }
        return lines + [
            choice("D", "It runs", wish.days == 1 ? "1 day" : "\(wish.days) days"),
            choice("H", "Hard mode", wish.isHard ? "on" : "off"),
        ]
    }

    func makingMessage(_ desk: Desk) -> Line {
        if desk.saved.pending != nil { return Line("Asking the service") }
        let price = desk.service.flatMap { $0.energy.price > 0 ? ", \($0.energy.price) energy" : nil } ?? ""
        switch desk.making?.step {
        case .kind, nil: return Line("Esc: back", .faint)
        case .word: return Line("Enter: go on")
        case .hint: return Line(desk.entry.isEmpty ? "Enter: no hint" : "Enter: go on")
        case .name: return Line(desk.entry.isEmpty ? "Enter: keep it" : "Enter: be called so")
        case .terms: return Line("Enter: make it\(price)")
        case .anyWord: return Line("Enter: use it anyway\(price)")
        }
    }
}
