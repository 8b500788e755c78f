/// The name of a type of requests in a journal: the same in every launch, and another for every type.
struct RequestName: Hashable, Sendable {
    /// With its module and the types around it: `App.Game.Tap`.
    let full: String

    /// Names a type; of one with credentials (`Authorized`), the one within.
    init(_ type: any Request.Type) {
        full = Self.withoutAddresses(String(reflecting: Self.bare(type)))
    }

    /// The type of what is asked, without credentials.
    static func bare(_ type: any Request.Type) -> any Request.Type {
        (type as? any AuthorizedRequest.Type)?.bare ?? type
    }

    /// Leaves out where a private type's context lies in memory, `(unknown context at $5590c8).`
    private static func withoutAddresses(_ name: String) -> String {
        var name = name
        while let start = name.firstRange(of: "(unknown context at "),
            let end = name[start.upperBound...].firstRange(of: ").")
        {
            name.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return name
    }
}

/// What a queue knows of the types of its requests, to read their answers.
struct RequestTypes {
    /// Of requests that were appended in this launch.
    private var appended: [RequestID: any Request.Type] = [:]
    /// Of requests of earlier launches, by name.
    private var named: [String: any Request.Type] = [:]

    /// Knows the library's own types.
    init() { self = Self.ofService }

    private static let ofService = RequestTypes(library)

    private init(_ types: [any Request.Type]) {
        for type in types { add(type, named: nil) }
    }

    static let library: [any Request.Type] = [
        RegisterPlayer.self, DealWord.self, RecordPlayedWord.self, ReportEnergy.self, PayForGame.self, BuyEnergy.self,
        FetchWins.self, AddWin.self, StartGame.self,
        CreatePlayer.self, SignIn.self, ListSessions.self, RevokeSession.self, RenewRecoveryCode.self,
        FetchService.self, FetchPlayer.self, RenamePlayer.self, TakeRefill.self, MergePlayer.self,
        FetchEnergyHistory.self,
        ExportPlayer.self, DeletePlayer.self,
        FetchPasskeyOptions.self, RegisterPasskey.self, ListPasskeys.self, DeletePasskey.self,
        FetchSignInOptions.self, SignInWithPasskey.self, MakeNonce.self, SignInWithIdentity.self, LinkIdentity.self,
        ListIdentities.self, UnlinkIdentity.self, RevokeOtherSessions.self,
        StartJudgedGame.self, FetchGame.self, ListGames.self, SubmitGuess.self, ResignGame.self, FetchReview.self,
        PresentPurchase.self,
        FetchDailyWord.self, StartDailyGame.self, FetchPastDay.self, ListDays.self, StartArchiveGame.self,
        MakeChallenge.self, FetchChallenge.self, ListChallenges.self, StartChallengeGame.self, DeleteChallenge.self,
        FetchDailyLeaderboard.self, FetchWinsLeaderboard.self,
        CreateLeague.self, ListLeagues.self, FetchLeague.self, RenameLeague.self, EndLeague.self, RenewInvite.self,
        FetchInvitation.self, JoinLeague.self, ListLeagueMembers.self, RemoveLeagueMember.self, FetchLeagueTable.self,
        FetchLotteryUsers.self, FetchLotteryEntries.self, FetchLotteryDraw.self, StartLotteryDraw.self,
        EnterLottery.self,
    ]

    /// The type of a request of this launch.
    subscript(id: RequestID) -> (any Request.Type)? {
        get { appended[id] }
        set { appended[id] = newValue }
    }

    /// A handler says what requests of a name are.
    mutating func add(_ type: any Request.Type, named name: String?) {
        named[name ?? RequestName(type).full] = type
    }

    /// The type of a request, as far as it is known.
    private func type(of entry: QueueEntry) -> (any Request.Type)? {
        appended[entry.id] ?? named[entry.name]
    }

    /// Reads an answer as the one who asked will.
    ///
    /// - Throws: `ClientError`: it is not the service's answer to the request. `.decoding`, `.unexpectedContent`,
    ///   `.missingIdentifier`, or `.refused` where the refusal is inside.
    func check(_ response: HTTPResponse, to entry: QueueEntry) throws(ClientError) {
        do throws(ClientError) {
            if let type = type(of: entry) {
                try type.check(response)
            } else if response.isPage {
                throw ClientError(.unexpectedContent)
            }
        } catch {
            throw error.code == .decoding && !response.beginsAsJSON ? ClientError(.unexpectedContent) : error
        }
        guard let creates = entry.creates else { return }
        guard creates.source.value(in: response) != nil else { throw ClientError(.missingIdentifier) }
    }
}

extension Request {
    fileprivate static func check(_ response: HTTPResponse) throws(ClientError) {
        _ = try self.response(from: response)
    }
}
