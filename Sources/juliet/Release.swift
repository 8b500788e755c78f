/// This release of Juliet.
enum Release {
    /// Its version, the one place that says it (semver.org): `juliet --version`, the package and the image ask the program.
    static let version = "1.0.0"
}
