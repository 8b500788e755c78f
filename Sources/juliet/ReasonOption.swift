import ArgumentParser
import JulietGame

/// Why something is done.
struct ReasonOption: ParsableArguments {
    @Option(help: ArgumentHelp("Why, for the audit trail.", valueName: "text")) var reason: String

    func validate() throws { try Self.check(reason) }

    /// Refuses what the trail does not take.
    static func check(_ reason: String) throws {
        guard EnergyLedger.isReason(reason) else {
            throw ValidationError("--reason must be a text of up to 500 characters")
        }
    }
}
