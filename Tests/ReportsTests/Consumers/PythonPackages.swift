import Foundation
import Processes

/// Python with packages that tests drive other programs by.
///
/// Where they cannot be installed, ``problem`` says why, and the tests that need them are skipped with that reason.
enum PythonPackages {
    private static let python = Python(
        folder: "html-readers", packages: ["jsonschema", "playwright", "axe-playwright-python"],
        check: "import axe_playwright_python, jsonschema, playwright")

    /// Why the packages cannot be used, or nil.
    static var problem: String? { Self.python.problem }

    /// Runs a script and returns what it prints.
    static func run(script: String, _ arguments: [String]) throws -> String {
        try Self.python.run(script, arguments)
    }

    /// Calls a function with the path of a temporary file that has this text.
    static func withFile<Result>(_ bytes: [UInt8], suffix: String, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "repartee-\(UUID().uuidString).\(suffix)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}
