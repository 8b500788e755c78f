// swift-tools-version: 6.2

import PackageDescription

// Two clients of the service, as apps are written: they need JulietClient alone.
let package = Package(
    name: "examples",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "GameModel", targets: ["GameModel"]),
        .executable(name: "words", targets: ["words"]),
    ],
    dependencies: [
        .package(path: "..", traits: [])
    ],
    targets: [
        // What the views show and do, without SwiftUI: it compiles on Linux too, as an app with MainActor by default does.
        .target(
            name: "GameModel", dependencies: [.product(name: "JulietClient", package: "juliet")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "words", dependencies: ["GameModel", .product(name: "JulietClient", package: "juliet")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ]
)

#if os(macOS)
    package.targets.append(
        .executableTarget(
            name: "WordsApp", dependencies: ["GameModel", .product(name: "JulietClient", package: "juliet")],
            path: "App", swiftSettings: [.defaultIsolation(MainActor.self)]
        ))
#endif
