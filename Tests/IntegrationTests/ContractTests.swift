import JulietAPI
import TestSupport
import Testing

/// The table of the contract: every request type, every outcome, over a socket and against PostgreSQL.
@Suite("The contract", .everyLayout)
struct ContractTests {
    @Test("initialRegistration", arguments: Contract.registration)
    func registration(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("fetchNewSecretWord", arguments: Contract.freeWords)
    func freeWords(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("updateUserPlayedWordsList", arguments: Contract.playedWords)
    func playedWords(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("updateUserEnergy", arguments: Contract.energyReports)
    func energyReports(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("singleGameEnergyUpdate", arguments: Contract.payments)
    func payments(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("handleEnergyPurchase", arguments: Contract.purchases)
    func purchases(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("fetchUserWins and updateUserWins", arguments: Contract.wins)
    func wins(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("statNewGameSession", arguments: Contract.games)
    func games(story: ContractCase) async throws {
        try await story.play(with: .shared(.standard))
    }

    @Test("energy.clientUpdates = lowerOnly", arguments: Contract.lowerOnly)
    func lowerOnly(story: ContractCase) async throws {
        try await story.play(with: .shared(.lowerOnly))
    }

    @Test("energy.clientUpdates = refuse", arguments: Contract.refuse)
    func refuse(story: ContractCase) async throws {
        try await story.play(with: .shared(.refuse))
    }

    @Test("users.unknown = register", arguments: Contract.register)
    func register(story: ContractCase) async throws {
        try await story.play(with: .shared(.register))
    }
}
