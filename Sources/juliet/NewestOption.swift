import ArgumentParser

/// How much of a list that begins with the newest is printed.
struct NewestOption: ParsableArguments {
    @Option(help: ArgumentHelp("How many, counted from the newest.", valueName: "count")) var last = 50

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last must be 1 or more") }
    }
}
