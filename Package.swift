// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "juliet",
    // What JulietClient needs. Everything else needs macOS 26: see the end.
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "EventLoop", targets: ["EventLoop"]),
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "Migrations", targets: ["Migrations"]),
        .library(name: "HTTPServer", targets: ["HTTPServer"]),
        .library(name: "HTTPCompression", targets: ["HTTPCompression"]),
        .library(name: "HTTPServerTesting", targets: ["HTTPServerTesting"]),
        .library(name: "AppStore", targets: ["AppStore"]),
        .library(name: "WebAuthn", targets: ["WebAuthn"]),
        .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
        .library(name: "JulietClient", targets: ["JulietClient"]),
        .library(name: "JulietClientTesting", targets: ["JulietClientTesting"]),
        .library(name: "Lottery", targets: ["Lottery"]),
        .executable(name: "juliet", targets: ["juliet"]),
        .executable(name: "juliet-play", targets: ["juliet-play"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(
            name: "Server",
            description: "Everything but JulietClient; an app that turns it off resolves no other package."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-asn1", .upToNextMinor(from: "1.7.0")),
        .package(url: "https://github.com/apple/swift-certificates", .upToNextMinor(from: "1.21.0")),
        .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.0")),
        .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/apple/swift-system", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/swiftlang/swift-subprocess", .upToNextMinor(from: "1.0.0"), traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CEventLoop"),
        .target(name: "EventLoop", dependencies: ["CEventLoop"]),
        .target(name: "Postgres", dependencies: ["CLibPQ", "EventLoop"]),
        .target(
            name: "Migrations",
            dependencies: ["Postgres", "StrictEncoding", .product(name: "Crypto", package: "swift-crypto")]
        ),
        // Carries migrations/, schema/ and config/words/, which lie beside Sources: a plugin writes them into a Swift file.
        .executableTarget(name: "embed-files"),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        .target(name: "JulietSchema", plugins: ["EmbedFiles"]),
        .target(name: "HTTPServer", dependencies: ["CEventLoop", "EventLoop"]),
        .target(name: "HTTPCompression", dependencies: ["CZlib", "EventLoop", "HTTPServer"]),
        .target(name: "HTTPServerTesting", dependencies: ["HTTPServer", "EventLoop"]),
        .target(
            name: "AppStore",
            dependencies: [
                "EventLoop", "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            resources: [.embedInCode("Chain/AppleRootCA-G3.cer")]
        ),
        .target(name: "StrictEncoding"),
        .target(
            name: "WebAuthn",
            dependencies: [
                "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "OpenIDConnect",
            dependencies: [
                "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .target(name: "JulietAPI"),
        .target(
            name: "JulietClient",
            dependencies: ["JulietAPI", .target(name: "CCurl", condition: .when(platforms: [.linux]))]
        ),
        // What an app's tests use: a transport that answers a script, a queue in a folder of its own.
        .target(name: "JulietClientTesting", dependencies: ["JulietClient"]),
        // The lottery's layers, each a target, so that the compiler keeps the direction; Lottery is all but the view.
        .target(name: "LotteryEntities", dependencies: ["StrictEncoding"], path: "Sources/Lottery/Entity"),
        .target(name: "LotteryRepository", dependencies: ["LotteryEntities"], path: "Sources/Lottery/Repository"),
        .target(
            name: "LotteryUseCase",
            dependencies: [
                "LotteryEntities", "LotteryRepository", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Lottery/UseCase"
        ),
        .target(
            name: "LotteryPresentation", dependencies: ["LotteryEntities", "LotteryUseCase", "StrictEncoding"],
            path: "Sources/Lottery/Presenter"
        ),
        .target(name: "LotteryTerminal", dependencies: ["LotteryPresentation"], path: "Sources/Lottery/View"),
        .target(
            name: "Lottery",
            dependencies: ["LotteryEntities", "LotteryPresentation", "LotteryRepository", "LotteryUseCase"],
            path: "Sources/Lottery/Module"
        ),
        .target(
            name: "JulietGame",
            dependencies: [
                "CZlib", "EventLoop", "JulietAPI", "JulietSchema", "Lottery", "Migrations", "Postgres",
                "StrictEncoding",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "JulietServer",
            dependencies: [
                "AppStore", "JulietAPI", "JulietGame", "HTTPCompression", "HTTPServer", "Lottery", "Migrations",
                "OpenIDConnect", "Postgres", "StrictEncoding", "WebAuthn", "EventLoop", "CEventLoop",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [
                .embedInCode("Pages/web"), .embedInCode("Pages/admin"), .embedInCode("Description/examples.txt"),
            ]
        ),
        // The layers of the game in a terminal, and JulietPlay, which sets them to work.
        .target(name: "PlayUseCase", dependencies: ["JulietClient"], path: "Sources/Play/UseCase"),
        .target(
            name: "PlayRepository", dependencies: ["JulietClient", "PlayUseCase"], path: "Sources/Play/Repository"),
        .target(
            name: "PlayPresenter", dependencies: ["JulietClient", "PlayUseCase"], path: "Sources/Play/Presenter"),
        .target(name: "PlayView", dependencies: ["PlayPresenter"], path: "Sources/Play/View"),
        .target(
            name: "JulietPlay",
            dependencies: ["JulietClient", "PlayPresenter", "PlayRepository", "PlayUseCase", "PlayView"],
            path: "Sources/Play/Session"
        ),
        .target(
            name: "PlayOptions", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        .executableTarget(
            name: "juliet-play",
            dependencies: [
                "JulietClient", "JulietPlay", "PlayOptions", "PlayRepository", "PlayUseCase", "PlayView",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "juliet",
            dependencies: [
                "JulietServer", "JulietGame", "JulietAPI", "JulietSchema", "Lottery", "LotteryTerminal",
                "OpenIDConnect", "PlayOptions", "Migrations", "Postgres", "EventLoop", "StrictEncoding",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"]),
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .target(name: "TestSupport", dependencies: ["CLibPQ", "CSpawn", "EventLoop"], path: "Tests/TestSupport"),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "EventLoop", "TestSupport"]),
        .testTarget(name: "MigrationsTests", dependencies: ["Migrations", "Postgres", "EventLoop", "TestSupport"]),
        .testTarget(
            name: "HTTPCompressionTests",
            dependencies: ["CZlib", "EventLoop", "HTTPCompression", "HTTPServer", "HTTPServerTesting", "TestSupport"]),
        // The example of docs/http-server.md, which the tests run.
        .executableTarget(
            name: "HTTPServerExample", dependencies: ["HTTPServer", "EventLoop"], path: "Tests/HTTPServerExample"),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "HTTPServerTesting", "HTTPServerExample", "EventLoop", "TestSupport"]),
        .target(
            name: "AppStoreTesting",
            dependencies: [
                "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Tests/AppStoreTesting"
        ),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "AppStore", "AppStoreTesting", "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(name: "StrictEncodingTests", dependencies: ["StrictEncoding"]),
        .target(
            name: "CredentialTesting",
            dependencies: [
                "OpenIDConnect", "StrictEncoding", "WebAuthn", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/CredentialTesting"
        ),
        .testTarget(
            name: "WebAuthnTests",
            dependencies: [
                "CredentialTesting", "WebAuthn", "StrictEncoding", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: [
                "CredentialTesting", "OpenIDConnect", "StrictEncoding",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"]
        ),
        // What the examples' views show and do: the examples are a package of their own, and its tests are here.
        .target(name: "GameModel", dependencies: ["JulietClient"], path: "Examples/Sources/GameModel"),
        .executableTarget(
            name: "QueueTestClient", dependencies: ["JulietClient"], path: "Tests/QueueTestClient"),
        .testTarget(name: "JulietAPITests", dependencies: ["JulietAPI", "TestSupport"]),
        .testTarget(
            name: "JulietClientTests",
            dependencies: [
                "JulietAPI", "JulietClient", "JulietClientTesting", "EventLoop", "GameModel", "TestSupport",
                "QueueTestClient",
            ]
        ),
        .testTarget(
            name: "JulietPlayTests",
            dependencies: [
                "JulietAPI", "JulietClient", "JulietPlay", "PlayPresenter", "PlayRepository", "PlayUseCase",
                "PlayView",
            ]
        ),
        .testTarget(
            name: "LotteryTests", dependencies: ["Lottery", "LotteryPresentation", "LotteryTerminal", "LotteryUseCase"]),
        .testTarget(
            name: "JulietGameTests",
            dependencies: ["JulietAPI", "JulietGame", "JulietSchema", "Migrations", "Postgres", "TestSupport"]),
        .testTarget(
            name: "JulietServerTests",
            dependencies: [
                "AppStore", "AppStoreTesting", "JulietServer", "JulietAPI", "HTTPServer", "HTTPServerTesting",
                "JulietGame",
                "OpenIDConnect", "Postgres", "EventLoop", "Lottery", "WebAuthn",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "juliet", "juliet-play", "PlayOptions", "JulietAPI", "JulietGame", "JulietSchema", "Lottery",
                "Migrations", "Postgres", "EventLoop", "StrictEncoding", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Help"]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "AppStoreTesting", "CredentialTesting", "juliet", "juliet-play", "JulietServer", "JulietGame",
                "JulietAPI", "JulietClient",
                "JulietSchema",
                "HTTPServer", "Lottery", "Migrations", "Postgres", "EventLoop", "StrictEncoding", "TestSupport",
                "QueueTestClient", "WebAuthn",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["juliet", "EventLoop", "HTTPServer", "HTTPServerTesting", "TestSupport"],
            exclude: ["axe.txt"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
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
    if !["JulietAPI", "JulietClient", "JulietClientTesting"].contains(target.name) {
        // Executors, Mutex, InlineArray: macOS 26. A platform can only be declared for the whole package.
        settings.append(
            .unsafeFlags(["-Xfrontend", "-disable-availability-checking"], .when(platforms: [.macOS])))
    }
    target.swiftSettings = settings
    if target.name == "JulietClient" {
        // Apps are built on macOS. Elsewhere a resource would only bring Foundation into the target.
        #if os(macOS)
            target.resources = [.process("PrivacyInfo.xcprivacy")]
        #else
            target.exclude = ["PrivacyInfo.xcprivacy"]
        #endif
    }
    // A package whose products all wait for a trait is not even resolved without it.
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package, let aliases, nil) = dependency else { return dependency }
        return .product(
            name: name, package: package ?? name, moduleAliases: aliases, condition: .when(traits: ["Server"]))
    }
}
