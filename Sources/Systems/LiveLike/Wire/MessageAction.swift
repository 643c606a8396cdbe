import JSON
import Machines

/// A change of a reaction, carried as a message action of type `rc` (PubNub REST documentation, message actions).
struct MessageAction: Sendable {
    /// The action type that the vendor's SDK uses for reactions.
    static let reactionType = "rc"

    let isAdded: Bool
    let messageTimeToken: TimeToken
    let actionTimeToken: TimeToken
    /// The reaction's id.
    let value: String

    /// Reads the data of an item of type 3.
    ///
    /// - Throws: ``FrameProblem`` if it cannot be read or is not about a reaction.
    init(_ data: JSONValue) throws(FrameProblem) {
        let type = data["data"]?["type"]?.string
        if let type, type != Self.reactionType {
            throw .ignored("a message action of the type \(type.shortened(to: 500))")
        }
        guard type != nil, let detail = data["data"],
            let event = data["event"]?.string, event == "added" || event == "removed",
            let message = detail["messageTimetoken"].flatMap(SubscribeReply.token),
            let action = detail["actionTimetoken"].flatMap(SubscribeReply.token),
            let value = detail["value"]?.string
        else { throw .error(.frame("a message action", Misreading("it is \(data.description.shortened(to: 500))"))) }
        self.isAdded = event == "added"
        self.messageTimeToken = message
        self.actionTimeToken = action
        self.value = value
    }
}
