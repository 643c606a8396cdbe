public import Foundation

/// Python with packages that tests hold the product against.
///
/// They are installed once into a folder beside what is built. Where that cannot be done, ``problem`` says why, and the
/// tests that need them are skipped with that reason.
public struct Python: Sendable {
    /// Why a program could not be run, or what it printed about its failure.
    public struct Problem: Error, LocalizedError {
        public let reason: String

        public var errorDescription: String? { self.reason }
    }

    private let interpreter: Result<String, Problem>

    /// Finds the packages, or installs them.
    ///
    /// - Parameters:
    ///   - folder: The name of the folder for them.
    ///   - packages: As pip names them.
    ///   - check: A program that fails unless they are there.
    public init(folder: String, packages: [String], check: String) {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appending(path: ".build/python/\(folder)").path
        let python = "\(path)/bin/python3"
        if (try? Self.run(python, ["-c", check])) != nil {
            self.interpreter = .success(python)
            return
        }
        do {
            _ = try Self.run("python3", ["-m", "venv", path])
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "10"]
            _ = try Self.run(python, install + packages)
            _ = try Self.run(python, ["-c", check])
            self.interpreter = .success(python)
        } catch {
            let names = packages.joined(separator: " and ")
            self.interpreter = .failure(Problem(reason: "\(names) cannot be installed for python3: \(error)"))
        }
    }

    /// Why the packages cannot be used, or nil.
    public var problem: String? { if case .failure(let problem) = self.interpreter { problem.reason } else { nil } }

    /// Runs a program and returns what it prints.
    ///
    /// - Throws: ``Problem`` with the end of its error output.
    public func run(_ program: String, _ arguments: [String] = []) throws -> String {
        try Self.run(self.interpreter.get(), ["-c", program] + arguments)
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = try ChildProcess([program] + arguments)
        let text = process.output.rest()
        guard process.end() == 0 else {
            throw Problem(reason: String((process.errors?.rest() ?? "").suffix(1_500)))
        }
        return text
    }
}
