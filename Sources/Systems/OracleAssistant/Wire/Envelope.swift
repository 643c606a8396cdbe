import JSON
import Machines

/// A conversation message: a payload and what belongs around it.
struct Envelope: WireObject {
    var members: JSONObject

    /// Who wrote a message that comes from the server.
    enum Source: String, CaseIterable, Sendable {
        case bot = "BOT"
        case agent = "AGENT"
    }

    /// The payload; empty if the message has none.
    var payload: Payload { Payload(members: self.object("messagePayload") ?? [:]) }

    /// Whose conversation it belongs to.
    var userID: String? { self.text("userId") }

    /// The number of the message, by which repeated ones are recognized.
    var messageID: String? { self.text("msgId") }

    /// Who wrote it; only messages from the server say so.
    var source: Source? { self.text("source").flatMap(Source.init(rawValue:)) }

    /// Whether the skill has said all it wants to say for now.
    var endsTurn: Bool { self.flag("endOfTurn") ?? false }

    /// Which request it answers.
    var requestID: String? { self.text("requestId") }

    /// Which thread it belongs to.
    var threadID: String? { self.text("threadId") }

    /// Whether its thread is that of a widget on the page around the chat, which the chat does not go over to.
    var isForWidget: Bool { self.threadID?.hasPrefix("UIWidget:") ?? false }

    /// Whether it says who wrote it, and that is nobody who may.
    var hasUnknownSource: Bool { self.source == nil && self.isGiven("source") }

    /// Returns why a message of the server is not for a user, or nil if it is, or does not say for whom it is.
    func recipientProblem(_ userID: String) -> String? {
        guard self.isGiven("userId"), self.userID != userID else { return nil }
        return "the message is for the user \(self.members["userId"] ?? .null), not \"\(userID)\""
    }

    /// What is wrong around the payload of a message of the server, or nil if nothing is.
    var problem: String? {
        if self.hasUnknownSource {
            return "a message comes from BOT or AGENT, not \(self.members["source"] ?? .null)"
        }
        return MessageValidation.problem(in: self.members, Self.rules)
    }

    private static let rules: [MemberRule] = [
        .may("msgId", .text), .may("requestId", .text), .may("threadId", .text), .may("endOfTurn", .flag),
    ]
}
