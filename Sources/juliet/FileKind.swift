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

    /// Looks at it (stat(2)); nil when nothing is there, or out of reach.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
}
