/// This release of Juliet.
package enum Release {
    /// Its version (semver.org), written only here: `juliet --version`, `/health`, the package and the image ask
    /// the program.
    package static let version = "1.0.0"
}
