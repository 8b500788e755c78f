#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a path names, links followed.
enum FileKind {
    case folder
    case file

    /// Reads it (stat(2)); nil if nothing is there, or it cannot be reached.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
}
