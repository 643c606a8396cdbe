import Foundation
import Processes

/// The checker of Prometheus.
enum PromTool {
    private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        .map { $0 + "/promtool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isThere: Bool { Self.path != nil }

    /// Returns what it finds wrong with a file in text format.
    static func problems(_ file: String) throws -> String {
        let process = try ChildProcess([Self.path ?? "", "check", "metrics"], input: file, errors: .merged)
        let text = process.output.rest()
        return process.end() == 0 ? text : "failed: " + text
    }
}
