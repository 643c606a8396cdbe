import JSON
import Processes

/// PyJWT, the library by which backends of applications make tokens, run in Python.
///
/// Where it cannot be installed, ``problem`` says why, and the tests that need it are skipped with that reason.
enum PyJWT {
    private static let python = Python(
        folder: "token-readers", packages: ["PyJWT"], check: "import jwt; jwt.encode")

    /// Why the library cannot be used, or nil.
    static var problem: String? { Self.python.problem }

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
        let text = try Self.python.run(Self.script, [JSONValue.array(requests).description])
        return try JSONReader.read(text).array ?? []
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
