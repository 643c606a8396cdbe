import JSON
import RunRecord

/// Why a simulated server in another process does not do what it is asked.
struct ControlRefusal: Error, Hashable {
    let message: String

    /// What kind of failure it is, where the server was to do it and something was not as it should be; nil for what is
    /// asked wrongly.
    let kind: ProblemKind?

    init(_ message: String, _ kind: ProblemKind? = nil) {
        self.message = message
        self.kind = kind
    }

    /// Reads the answer to a message; nil if it is none that refuses, or names no kind that there is.
    init?(_ members: JSONObject) {
        guard let message = members["error"]?.string else { return nil }
        self.init(message, members["kind"]?.string.flatMap(ProblemKind.init(rawValue:)))
        guard self.kind != nil || members["kind"] == nil else { return nil }
    }

    /// The answer to the message of a number.
    func answer(to id: JSONValue) -> JSONObject {
        var members: JSONObject = ["id": id, "error": .string(self.message)]
        if let kind = self.kind { members["kind"] = .string(kind.rawValue) }
        return members
    }
}
