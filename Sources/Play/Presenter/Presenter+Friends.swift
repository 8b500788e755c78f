import JulietClient
import PlayUseCase

/// Leagues and challenges.
extension Presenter {
    /// So many columns a name may take.
    private static let nameWidth = 14

    func friends(_ desk: Desk, _ room: Int) -> [Line] {
        let items = desk.friends.items
        var keys: [Line] = []
        if desk.service?.challenges != false { keys.append(choice("M", "Make a challenge")) }
        if desk.service?.challenges != false { keys.append(choice("C", "I have a challenge's code")) }
        if desk.service?.leagues != false { keys.append(choice("J", "I have a league's invite")) }
        guard !items.isEmpty else { return keys }
        let count = min(max(room - keys.count - 1, 1), items.count)
        let first = min(max(desk.selection - count / 2, 0), items.count - count)
        let lines = items.indices[first..<first + count].map { index in
            let isChosen = index == desk.selection
            let (name, state) = described(items[index])
            return Line("\(isChosen ? ">" : " ") \(column(name, 20)) ", isChosen ? .strong : .plain)
                + Line(state, isChosen ? .strong : .faint)
        }
        return lines + [Line()] + keys
    }

    private func described(_ item: DeskFriends.Item) -> (name: String, state: String) {
        switch item {
        case .league(let league):
            return (league.name, league.members == 1 ? "you alone" : "\(league.members) people")
        case .challenge(let challenge):
            let end = challenge.game.map { state($0.state, guesses: $0.guesses.count) }
            return ("\(challenge.code) \(challenge.by ?? "")", end ?? (challenge.ownWord == true ? "yours" : ""))
        }
    }

    func typingCode(_ desk: Desk, _ purpose: DeskFriends.Code) -> [Line] {
        [
            Line(purpose == .challenge ? "The challenge's code:" : "The league's invite:"), Line(),
            Line(String(desk.entry) + "_", .strong),
        ]
    }

    func league(_ desk: Desk, _ room: Int) -> [Line] {
        guard let table = desk.friends.table else { return [] }
        var head = [Line(desk.friends.league?.name ?? "", .strong)]
        if let invite = desk.friends.league?.invite { head.append(Line("Invite \(invite)", .faint)) }
        head.append(Line("\(table.endedToday) of \(table.entries.count) finished today", .faint))
        if table.withoutToday == true { head.append(Line("Shown once you finish it", .faint)) }
        return head + [Line()]
            + visible(table.entries, max(room - head.count - 1, 1), isMe: { $0.isMe == true }).map { entry in
                let today = entry.today.map { state($0.state, guesses: $0.guesses) } ?? ""
                let points = right("\(entry.points)", 5)
                return Line(
                    "\(right("\(entry.rank)", 3)) \(column(entry.name, Self.nameWidth))\(points) ", style(entry.isMe))
                    + Line(column(today, 8), .faint)
            }
    }

    func challenge(_ desk: Desk, _ room: Int) -> [Line] {
        guard let challenge = desk.friends.challenge else { return [] }
        let who = challenge.isMine == true ? "Yours" : "By \(challenge.by ?? "somebody who is gone")"
        let left = challenge.endsAt <= desk.now ? "over" : "\(time(from: desk.now, to: challenge.endsAt)) left"
        let head =
            [
                Line("\(challenge.code)", .strong),
                Line("\(who), \(challenge.hard == true ? "hard, " : "")\(left)", .faint),
                Line(challenge.players == 1 ? "1 player" : "\(challenge.players) players", .faint),
            ]
            + (challenge.anyWord == true ? [Line("Any letters count as a guess", .faint)] : [])
            + (challenge.hint.map { wrapped("Hint: \($0)", to: 30).map { Line($0) } } ?? []) + [Line()]
        let results = visible(challenge.results ?? [], max(room - head.count, 1), isMe: { $0.isMe == true })
        return head
            + results.map { result in
                let end = result.state == .won ? "in \(result.guesses)" : "lost"
                let seconds = right("\(result.seconds) s", 8)
                return Line("\(right("\(result.rank)", 3)) \(column(result.name, Self.nameWidth)) ", style(result.isMe))
                    + Line("\(column(end, 5))\(seconds)", .faint)
            }
    }

    func friendsMessage(_ desk: Desk) -> Line {
        switch desk.saved.pending {
        case .startChallenge: return Line("Asking for a word")
        case .joinLeague: return Line("Asking the service")
        default: break
        }
        switch desk.screen {
        case .friends:
            let isKnown = desk.friends.leagues != nil || desk.friends.challenges != nil
            return isKnown ? Line("Esc: menu", .faint) : Line("Asking for your friends")
        case .typingCode:
            return Line("Enter: go on")
        case .league:
            guard desk.friends.table != nil else { return Line("Asking for the table") }
            let periods: [V2.Period: String] = [
                .day: "today", .week: "this week", .month: "this month", .all: "all days",
            ]
            return Line("\(periods[desk.friends.period] ?? ""). D W M A: period", .faint)
        default:
            return challengeMessage(desk.friends.challenge, desk.now)
        }
    }

    private func challengeMessage(_ challenge: V2.Challenge?, _ now: V2.Timestamp) -> Line {
        guard let challenge else { return Line() }
        if let game = challenge.game { return Line(game.state == .playing ? "Enter: play on" : "Enter: your game") }
        if challenge.isMine == true, challenge.ownWord == true { return Line("Give your friends the code") }
        return challenge.endsAt <= now ? Line("Esc: back", .faint) : Line("Enter plays")
    }

    /// As many as there is room for, the player's own among them.
    private func visible<Entry>(_ entries: [Entry], _ room: Int, isMe: (Entry) -> Bool) -> [Entry] {
        let shown = entries.prefix(room)
        guard let me = entries.firstIndex(where: isMe), me >= room, room > 0 else { return Array(shown) }
        return shown.dropLast() + [entries[me]]
    }

    private func style(_ isMe: Bool?) -> Style { isMe == true ? .strong : .plain }

    /// Cut, or filled with blanks.
    private func column(_ text: String, _ width: Int) -> String {
        let text = String(text.prefix(columns: width))
        return text + String(repeating: " ", count: width - text.columns)
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.columns, 0)) + text
    }
}
