/// Whose request an attempt of a queue is: a session sends it only with that player's token.
enum JournalOwner {
    /// Nil: anybody's.
    @TaskLocal static var current: String?
}
