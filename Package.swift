// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "juliet",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "EventLoop", targets: ["EventLoop"]),
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "Migrations", targets: ["Migrations"]),
        .library(name: "HTTPServer", targets: ["HTTPServer"]),
        .library(name: "HTTPServerTesting", targets: ["HTTPServerTesting"]),
        .executable(name: "juliet", targets: ["juliet"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(name: "CEventLoop"),
        .target(name: "EventLoop", dependencies: ["CEventLoop"]),
        .target(name: "Postgres", dependencies: ["CLibPQ", "EventLoop"]),
        .target(
            name: "Migrations",
            dependencies: ["Postgres", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .target(name: "HTTPServer", dependencies: ["CEventLoop", "EventLoop"]),
        .target(name: "HTTPServerTesting", dependencies: ["HTTPServer", "EventLoop"]),
        .target(name: "JulietAPI"),
        .target(
            name: "JulietGame",
            dependencies: [
                "EventLoop", "Postgres", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "JulietServer",
            dependencies: [
                "JulietAPI", "JulietGame", "HTTPServer", "Migrations", "Postgres", "EventLoop", "CEventLoop",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "juliet",
            dependencies: [
                "JulietServer", "JulietGame", "Migrations", "Postgres", "EventLoop",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"]),
        .target(name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport"),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "EventLoop", "TestSupport"]),
        .testTarget(name: "MigrationsTests", dependencies: ["Migrations", "Postgres", "EventLoop", "TestSupport"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPServerTesting", "EventLoop"]),
        .testTarget(name: "JulietAPITests", dependencies: ["JulietAPI"]),
        .testTarget(name: "JulietGameTests", dependencies: ["JulietGame", "Postgres"]),
        .testTarget(name: "JulietServerTests", dependencies: ["JulietServer", "HTTPServer"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "juliet", "JulietGame", "Migrations", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Help"]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "juliet", "JulietServer", "JulietGame", "JulietAPI", "HTTPServer", "Migrations", "Postgres",
                "EventLoop", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    if target.name == "Postgres" {
        settings.append(.strictMemorySafety())
    }
    target.swiftSettings = settings
}
