import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// A request whose body is not the JSON that a handler of a simulated server, or a function that it spawned, reads in
/// it.
///
/// Lua only knows that it indexed nil and blames the script; it is the client that sent something else. A handler that
/// is to answer such a request looks at `request.json` first.
struct UnreadableRequest {
    /// So many characters of a path are shown.
    private static let shownName = 200

    private let position: ScriptPosition?
    private let calls: [ScriptCallStack.Call]
    private let name: String
    private let problem: String
    private let section: ScenarioFailure.Section

    /// Looks whether an error of a handler comes from the request that it was given.
    ///
    /// - Returns: Nil if the error is another one, or the body is an object or a list of JSON.
    init?(behind error: LuaError, of request: JSONObject, without secrets: SecretMasker) {
        guard error.kind == .runtime,
            let match = error.message.firstMatch(of: /attempt to index a (\w+) value \((\w+) '([^']*)'\)/)
        else { return nil }
        let text = request["body"]?.string
        let isAboutJSON = match.2 == "field" && match.3 == "json"
        switch request["json"] {
        case nil:
            // A variable may be nil for other reasons, unless the request claims to be JSON, and so may a field of that
            // name of another table, where no body is to be expected.
            guard match.1 == "nil",
                isAboutJSON && Self.isToHaveBody(request)
                    || ["local", "upvalue"].contains(match.2)
                        && UnreadableAnswer.claimsJSON(request["headers"], text ?? "")
            else { return nil }
            self.problem =
                request["base64"] == nil
                ? UnreadableAnswer.problem(of: text ?? "") ?? "it cannot be read" : "it is no UTF-8"
        case .array, .object: return nil
        case let value?:
            guard isAboutJSON else { return nil }
            self.problem = "it is \(secrets.masked("\(value)").shortened(to: 100)), which has no members"
        }
        self.name = Self.name(of: request, without: secrets)
        self.section = Self.section(of: request, without: secrets)
        self.position = error.position.map { ScriptPosition($0) }
        self.calls = error.traceback.map(ScriptCallStack.Call.init)
    }

    /// Whether a request has a body, or a method by which something is sent in one.
    private static func isToHaveBody(_ request: JSONObject) -> Bool {
        request["base64"] != nil || request["body"]?.string?.isEmpty == false
            || ["POST", "PUT", "PATCH"].contains(request["method"]?.string)
    }

    /// Returns the request among what a machine hands to a function of the script, if that is to answer one.
    ///
    /// The handler `request` of a system in Lua gets its name and a number before it, the `handler` of an HTTP server
    /// nothing else.
    static func request(among arguments: [JSONValue]) -> JSONObject? {
        switch arguments.count {
        case 3 where arguments[0] == "request": arguments[2].object
        case 1: arguments[0].object.flatMap { $0["method"] != nil && $0["path"] != nil ? $0 : nil }
        default: nil
        }
    }

    /// The failure that says so.
    var failure: ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .notJSON,
            message: "the body of \(self.name) is not the JSON that its handler reads: \(self.problem)",
            position: self.position, calls: self.calls, sections: [self.section])
    }

    /// Returns a request as a section of what went wrong in its handler.
    static func section(of request: JSONObject, without secrets: SecretMasker) -> ScenarioFailure.Section {
        let body =
            request["base64"] == nil
            ? Cause.lines(secrets.masked(Cause.beginning(of: request["body"]?.string ?? "")))
            : ["a body that is no UTF-8"]
        return .init(heading: "request", lines: [Self.name(of: request, without: secrets)] + body)
    }

    private static func name(of request: JSONObject, without secrets: SecretMasker) -> String {
        secrets.masked("\(request["method"]?.string ?? "a request") \(request["path"]?.string ?? "/")")
            .shortened(to: Self.shownName)
    }
}
