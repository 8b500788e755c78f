extension GameRequest {
    /// The body of this request as JSON, UTF-8: what a client posts to `type.endpoint`.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 160)
        writer.openObject()
        writer.member("requestType", type.name)
        writer.member(type == .initialRegistration ? Parameter.vendorID.name : Parameter.userID.name, userID)
        switch self {
        case .updateUserPlayedWordsList(_, let word):
            writer.member(Parameter.playedWord.name, word)
        case .updateUserEnergy(_, let energy):
            writer.member(Parameter.userEnergy.name, energy)
        case .handleEnergyPurchase(_, let amount):
            writer.member(Parameter.energyPurchaseAmount.name, amount)
        case .handleSignedEnergyPurchase(_, let amount, let transaction):
            writer.member(Parameter.energyPurchaseAmount.name, amount)
            writer.member(Parameter.signedTransaction.name, transaction)
        case .initialRegistration, .fetchNewSecretWord, .singleGameEnergyUpdate, .fetchUserWins, .updateUserWins,
            .statNewGameSession:
            break
        }
        writer.closeObject()
        return writer.bytes
    }
}
