import JSON
import Machines

@testable import BoldChat

/// What walks through the parts of a client are made of.
enum ClientPartFixture {
    static func settings(_ options: JSONObject = [:]) throws -> ClientSettings {
        try ClientSettings(ClientConfiguration(origin: "http://desk.test", target: [:], options: options))
    }

    static func success(_ members: JSONObject = [:]) -> CallOutcome {
        .answered(RESTAnswer(.object((["Status": "success"] as JSONObject).merging(members))))
    }

    static let refusal = CallOutcome.answered(RESTAnswer(["Status": "error", "Message": "no"]))

    static let failure = CallOutcome.failed(.network)

    /// A form with one field that need not be filled in.
    static let form: JSONValue = ["Fields": [["Key": "a", "Type": "text"]]]

    /// How the server tells why no chat is possible.
    static let unavailable: JSONObject = ["UnavailableReason": "no_operators"]
}
