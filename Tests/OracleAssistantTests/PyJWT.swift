import Foundation
import JSON

/// PyJWT, the library by which backends of applications make tokens, run in Python.
///
/// It is installed once into a folder for temporary files. Where that cannot be done, ``problem`` says why, and the
/// tests that need it are skipped with that reason.
enum PyJWT {
    private struct Problem: Error {
        let reason: String
    }

    /// Why the library cannot be used, or nil.
    static var problem: String? { if case .failure(let problem) = Self.python { problem.reason } else { nil } }

    /// Makes tokens from claims.
    ///
    /// - Parameter algorithm: `HS256` or another of the library's.
    static func encode(_ claims: [JSONObject], key: String, algorithm: String = "HS256") throws -> [String] {
        let requests = claims.map { claims -> JSONValue in
            ["claims": .object(claims), "key": .string(key), "algorithm": .string(algorithm)]
        }
        return try Self.run(requests).map { $0["token"]?.string ?? "" }
    }

    /// Reads tokens as a server would that takes HS256 only and demands `iat` and `exp`.
    ///
    /// - Returns: For each token its claims, or the name of the exception by which it was refused.
    static func decode(_ tokens: [String], key: String) throws -> [(claims: JSONObject?, error: String?)] {
        try Self.run(tokens.map { ["token": .string($0), "key": .string(key)] })
            .map { ($0["claims"]?.object, $0["error"]?.string) }
    }

    private static func run(_ requests: [JSONValue]) throws -> [JSONValue] {
        let text = try Self.run(Self.python.get(), ["-c", Self.script, JSONValue.array(requests).description])
        return try JSONReader.read(text).array ?? []
    }

    /// The interpreter that has the library.
    private static let python: Result<String, Problem> = {
        let imports = ["-c", "import jwt; jwt.encode"]
        let folder = FileManager.default.temporaryDirectory.appending(path: "repartee-token-readers").path
        let python = "\(folder)/bin/python3"
        if (try? Self.run(python, imports)) != nil { return .success(python) }
        do {
            _ = try Self.run("python3", ["-m", "venv", folder])
            _ = try Self.run(
                python,
                ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "10", "PyJWT"])
            _ = try Self.run(python, imports)
            return .success(python)
        } catch {
            return .failure(Problem(reason: "PyJWT cannot be installed for python3: \(error)"))
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

    private static let script = #"""
        import json, sys, jwt

        answers = []
        for request in json.loads(sys.argv[1]):
            try:
                if "claims" in request:
                    algorithm = request["algorithm"]
                    key = None if algorithm == "none" else request["key"]
                    answers.append({"token": jwt.encode(request["claims"], key, algorithm=algorithm)})
                else:
                    options = {"require": ["iat", "exp"]}
                    claims = jwt.decode(request["token"], request["key"], algorithms=["HS256"], options=options)
                    answers.append({"claims": claims})
            except jwt.PyJWTError as error:
                answers.append({"error": type(error).__name__})
        print(json.dumps(answers))
        """#
}
