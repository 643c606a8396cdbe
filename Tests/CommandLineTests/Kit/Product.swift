import Foundation

/// What lies around the tests: the scenarios of the package and the program that was built beside them.
enum Product {
    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The built program, if there is one beside the test bundle.
    static let program: String? = {
        let folders = [
            URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent().path,
            Self.root + "/.build/debug",
        ]
        return folders.map { $0 + "/repartee" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()
}
