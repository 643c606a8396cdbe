// swift-tools-version: 6.2
import PackageDescription

/// The settings every Swift target of the package is built with.
///
/// - Parameters:
///   - strictMemory: Marks each use of a pointer with `unsafe`; for the targets that border on C.
///   - isSmall: Optimizes for size; for the targets of which no message of a load test takes much. They compile in a
///     seventh less time, and scenarios play as fast: what holds those up is fetching instructions.
func settings(strictMemory: Bool = false, isSmall: Bool = false) -> [SwiftSetting] {
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
        // A check at each access to a property costs a tenth of a message's instructions; debug builds have it, with
        // which scripts/sanitize runs the tests.
        .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
        // Tests see into what is shipped: what is tested is what is shipped, and nothing is built twice. The program is
        // larger by it; the packages it is made from, into which no test looks, are built without.
        .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
    ]
    if strictMemory { settings.append(.strictMemorySafety()) }
    if isSmall { settings.append(.unsafeFlags(["-Osize"], .when(configuration: .release))) }
    return settings
}

/// What tests are compiled with: against the optimized program, so that they test what is shipped and there is one
/// build of it, but not optimized themselves, which would take twice as long. A module is compiled as a whole: each
/// part of one expands the macros of all its files, which took three times as long where there are many.
func testSettings() -> [SwiftSetting] {
    settings() + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

/// What puts the Swift runtime into the program that is shipped: a call into the runtime, of which each message takes
/// hundreds, goes straight there, and the program starts in a third less time. By lld, for gold, which is the default,
/// cannot place the thread-local variables of Foundation's library. What the runtime finds by the names of sections
/// must not be taken for unused. What scripts/profile has found to be called often lies in a section of its own.
let runtimeInProgram: [LinkerSetting] = {
    let isShipped = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
    let libraries = ["stdc++", "FoundationEssentials", "_FoundationCShims", "_FoundationCollections"]
    return [
        .unsafeFlags(["-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"], isShipped),
        .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "keep-text-section-prefix"], isShipped),
    ] + libraries.map { .linkedLibrary($0, isShipped) }
}()

let deques: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heaps: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Whether `scripts/fuzz` builds: then what reads bytes of others is a program of libFuzzer, and no test.
let isFuzzed = Context.environment["REPARTEE_FUZZ"] != nil

let decoders: [Target.Dependency] = [
    "BoldChat", "JSON", "LiveAssist", "LiveLike", "Machines", "Metrics", "OracleAssistant", "Patterns", "PlainHTTP",
    "RunRecord", "Scenario", "Secrets", "Transport", httpTypes,
]

let fuzzing: Target =
    isFuzzed
    ? .executableTarget(
        name: "fuzz-decoders", dependencies: decoders, path: "Tests/FuzzTests",
        exclude: ["CorpusTests.swift", "Mutation.swift", "Corpora", "Crashes"], swiftSettings: settings(),
        // gold, the linker that is the default, breaks off at what the sanitizers put into the debugging information.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    : .testTarget(
        name: "FuzzTests", dependencies: decoders, exclude: ["Entry.swift", "Corpora", "Crashes"],
        swiftSettings: testSettings())

let package = Package(
    name: "repartee",
    // Exact versions: warnings are errors here, so that a deprecation in a later version would end each fresh build.
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    ],
    targets: [
        .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
        .target(name: "EmbeddedFiles", exclude: ["Judges", "Language", "Load", "Page"]),
        .target(name: "LuaBridge", dependencies: ["CLua"], cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "LuaRuntime", dependencies: ["LuaBridge", "CLua", "JSON"], swiftSettings: settings(strictMemory: true)
        ),
        .target(name: "JSON", swiftSettings: settings()),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "Digests", dependencies: ["CCrypto"], swiftSettings: settings()),
        .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: settings()),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(name: "Statistics", swiftSettings: settings()),
        .target(name: "XML", dependencies: ["CExpat"], swiftSettings: settings(isSmall: true)),
        .target(name: "Machines", dependencies: ["JSON", httpTypes], swiftSettings: settings()),
        .target(name: "Patterns", swiftSettings: settings()),
        .target(
            name: "Transport",
            dependencies: [
                "Machines", "Compression", "CTLS", "Digests", "JSON", httpTypes, nioCore, nioEmbedded, nioHPACK,
                nioHTTP2, nioPosix, nioTLS, deques,
            ],
            swiftSettings: settings()
        ),
        .target(name: "RunRecord", dependencies: ["JSON"], swiftSettings: settings()),
        .target(name: "Secrets", dependencies: ["Machines", "JSON", "RunRecord"], swiftSettings: settings()),
        .target(
            name: "Reports",
            dependencies: ["Digests", "EmbeddedFiles", "JSON", "Metrics", "RunRecord", "Secrets", "Statistics"],
            swiftSettings: settings(isSmall: true)),
        .target(
            name: "BoldChat", dependencies: ["Machines", "JSON", httpTypes], path: "Sources/Systems/BoldChat",
            swiftSettings: settings(isSmall: true)),
        .target(
            name: "OracleAssistant", dependencies: ["Machines", "Digests", "JSON", "Patterns", httpTypes],
            path: "Sources/Systems/OracleAssistant", swiftSettings: settings(isSmall: true)),
        .target(
            name: "LiveLike", dependencies: ["Machines", "JSON", "Patterns", httpTypes],
            path: "Sources/Systems/LiveLike",
            swiftSettings: settings(isSmall: true)),
        .target(
            name: "LiveAssist", dependencies: ["Machines", "Compression", "JSON", "Patterns", httpTypes],
            path: "Sources/Systems/LiveAssist",
            swiftSettings: settings(isSmall: true)),
        .target(
            name: "PlainWebSocket", dependencies: ["Machines", "JSON", httpTypes],
            path: "Sources/Systems/PlainWebSocket", swiftSettings: settings()),
        .target(
            name: "PlainHTTP", dependencies: ["Machines", "JSON", httpTypes], path: "Sources/Systems/PlainHTTP",
            swiftSettings: settings(isSmall: true)),
        .target(
            name: "Scenario",
            dependencies: [
                "Machines", "Compression", "Digests", "EmbeddedFiles", "JSON", "LuaRuntime", "Patterns", "RunRecord",
                "Secrets", "Statistics", "Transport", "XML", deques, heaps, httpTypes, nioCore,
            ],
            swiftSettings: settings()),
        .target(
            name: "Metrics", dependencies: ["Machines", "Compression", "JSON", "RunRecord"], swiftSettings: settings()),
        .target(
            name: "Load",
            dependencies: [
                "Machines", "JSON", "Metrics", "RunRecord", "Scenario", "Secrets", "Transport", deques, httpTypes,
            ],
            swiftSettings: settings()),
        .target(
            name: "CommandLine",
            dependencies: [
                "BoldChat", "Machines", "JSON", "LiveAssist", "LiveLike", "Load", "LuaRuntime", "Metrics",
                "OracleAssistant",
                "PlainHTTP", "PlainWebSocket", "Reports", "RunRecord", "Scenario", "Secrets", "Transport",
                arguments, httpTypes, nioCore,
            ],
            swiftSettings: settings(isSmall: true)),
        .target(name: "AllocatorSettings"),
        .executableTarget(
            name: "repartee", dependencies: ["AllocatorSettings", "CommandLine"], swiftSettings: settings(),
            // Thousands of conversations side by side divide the heap of the C library into pieces that are slow to
            // find again; jemalloc keeps pieces of a size together.
            linkerSettings: [.linkedLibrary("jemalloc", .when(platforms: [.linux]))] + runtimeInProgram),
        .executableTarget(
            name: "conformance-endpoints",
            dependencies: ["Machines", "JSON", "Transport", httpTypes, nioCore, nioPosix],
            path: "Tests/ConformanceEndpoints", swiftSettings: settings()),
        .executableTarget(
            name: "transport-benchmarks",
            dependencies: ["Machines", "Transport", httpTypes, nioCore, nioEmbedded, nioHTTP1, nioWebSocket],
            path: "Tests/TransportBenchmarks", swiftSettings: settings()),
        .executableTarget(
            name: "runtime-benchmarks", dependencies: ["LuaRuntime"], path: "Tests/RuntimeBenchmarks",
            swiftSettings: settings()),
        .executableTarget(
            name: "metrics-benchmarks", dependencies: ["Machines", "Metrics", histogram],
            path: "Tests/MetricsBenchmarks", swiftSettings: settings()),
        .testTarget(name: "JSONTests", dependencies: ["Machines", "JSON"], swiftSettings: testSettings()),
        .testTarget(
            name: "CompressionTests", dependencies: ["Compression", "Machines"], swiftSettings: testSettings()),
        .testTarget(name: "StatisticsTests", dependencies: ["Statistics"], swiftSettings: testSettings()),
        .testTarget(
            name: "XMLTests", dependencies: ["ByteDivisions", "Machines", "XML"], swiftSettings: testSettings()),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: testSettings()),
        .testTarget(
            name: "MachinesTests", dependencies: ["Machines", "JSON", httpTypes], swiftSettings: testSettings()),
        .testTarget(name: "PatternsTests", dependencies: ["Machines", "Patterns"], swiftSettings: testSettings()),
        .testTarget(
            name: "LuaRuntimeTests", dependencies: ["JSON", "LuaRuntime"], swiftSettings: testSettings()),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "ByteDivisions", "CTLS", "Certificates", "Compression", "Machines", "JSON", "Transport", httpTypes,
                nioCore,
                nioEmbedded, nioHPACK, nioHTTP2, nioPosix, nioTLS,
            ],
            swiftSettings: testSettings()),
        .testTarget(
            name: "RunRecordTests", dependencies: ["Machines", "JSON", "RunRecord"], swiftSettings: testSettings()),
        .testTarget(
            name: "SecretsTests", dependencies: ["Machines", "JSON", "RunRecord", "Secrets"],
            swiftSettings: testSettings()),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Machines", "Digests", "JSON", "Metrics", "Processes", "Reports", "RunRecord", "Secrets"],
            swiftSettings: testSettings()),
        .target(
            name: "ByteDivisions", dependencies: ["Machines"], path: "Tests/ByteDivisions",
            swiftSettings: testSettings()),
        .target(
            name: "Certificates", dependencies: ["Transport"], path: "Tests/Certificates", swiftSettings: testSettings()
        ),
        .target(
            name: "MachineKit", dependencies: ["Machines", "JSON", httpTypes], path: "Tests/MachineKit",
            swiftSettings: testSettings()),
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .target(name: "Processes", dependencies: ["CSpawn"], path: "Tests/Processes", swiftSettings: testSettings()),
        .testTarget(
            name: "MetricsTests", dependencies: ["Machines", "Compression", "JSON", "Metrics", histogram],
            swiftSettings: testSettings()),
        .testTarget(
            name: "LoadTests",
            dependencies: [
                "Machines", "JSON", "Load", "Metrics", "RunRecord", "Secrets", "Transport", httpTypes, nioCore,
                nioPosix,
            ],
            swiftSettings: testSettings()),
        .testTarget(
            name: "BoldChatTests",
            dependencies: [
                "BoldChat", "Machines", "JSON", "MachineKit", "RunRecord", "Scenario", "Transport", httpTypes,
            ],
            swiftSettings: testSettings()),
        .testTarget(
            name: "OracleAssistantTests",
            dependencies: ["Machines", "JSON", "MachineKit", "OracleAssistant", "Processes", httpTypes],
            swiftSettings: testSettings()),
        .testTarget(
            name: "LiveLikeTests",
            dependencies: ["Machines", "JSON", "LiveLike", "MachineKit", "Patterns", "Transport", httpTypes, nioCore],
            swiftSettings: testSettings()),
        .testTarget(
            name: "LiveAssistTests", dependencies: ["Machines", "JSON", "LiveAssist", "MachineKit", httpTypes],
            swiftSettings: testSettings()),
        .testTarget(
            name: "PlainWebSocketTests",
            dependencies: ["Machines", "JSON", "MachineKit", "PlainWebSocket", httpTypes], swiftSettings: testSettings()
        ),
        .testTarget(
            name: "PlainHTTPTests",
            dependencies: ["ByteDivisions", "Machines", "JSON", "MachineKit", "PlainHTTP", httpTypes],
            swiftSettings: testSettings()),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Certificates", "Machines", "CommandLine", "Compression", "Digests", "JSON", "LiveAssist", "Load",
                "LuaRuntime", "MachineKit", "Metrics", "Processes", "Reports", "RunRecord", "Scenario", "Secrets",
                "Transport", httpTypes, nioCore, nioPosix,
            ],
            exclude: ["Conversations", "Golden"], swiftSettings: testSettings()),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "BoldChat", "Machines", "JSON", "LuaRuntime", "MachineKit", "PlainWebSocket", "RunRecord",
                "Scenario", "Secrets", "Statistics", "Transport",
                httpTypes,
            ],
            swiftSettings: testSettings()),
        fuzzing,
    ]
)
