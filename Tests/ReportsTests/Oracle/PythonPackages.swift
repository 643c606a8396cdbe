import Foundation

/// Python with packages that tests drive other programs by.
///
/// They are installed once into a folder for temporary files. Where that cannot be done, ``problem`` says why, and the
/// tests that need them are skipped with that reason.
enum PythonPackages {
    struct Problem: Error {
        let reason: String
    }

    /// Why the packages cannot be used, or nil.
    static var problem: String? { if case .failure(let problem) = Self.python { problem.reason } else { nil } }

    /// Runs a script and returns what it prints.
    static func run(script: String, _ arguments: [String]) throws -> String {
        try Self.run(Self.python.get(), ["-c", script] + arguments)
    }

    /// Calls a function with the path of a temporary file that has this text.
    static func withFile<Result>(_ bytes: [UInt8], suffix: String, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "repartee-\(UUID().uuidString).\(suffix)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }

    private static let python: Result<String, Problem> = {
        let imports = ["-c", "import jsonschema, playwright"]
        let folder = FileManager.default.temporaryDirectory.appending(path: "repartee-html-readers").path
        let python = "\(folder)/bin/python3"
        if (try? Self.run(python, imports)) != nil { return .success(python) }
        do {
            _ = try Self.run("python3", ["-m", "venv", folder])
            _ = try Self.run(
                python,
                [
                    "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "10", "jsonschema",
                    "playwright",
                ])
            return .success(python)
        } catch {
            return .failure(Problem(reason: "jsonschema and playwright cannot be installed for python3: \(error)"))
        }
    }()

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appending(path: "repartee-\(UUID().uuidString).err")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let error = (try? Data(contentsOf: errors)) ?? Data()
            throw Problem(reason: String(decoding: error.suffix(1_500), as: UTF8.self))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
