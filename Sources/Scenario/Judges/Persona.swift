import JSON
import Machines

/// Somebody who wants something of a chat and whose turns a model writes: `t:persona`.
///
/// What asks for the turns, says them and hears the answers is `EmbeddedFiles/Language/Persona.lua`.
struct Persona: Hashable, Sendable {
    /// What the person wants.
    let goal: String

    /// What the person knows, by names of the script's own.
    let facts: JSONObject

    /// How the person writes; empty if nothing is said of it.
    let style: String

    /// What tells several conversations of the same person apart.
    let seed: Int64

    /// What was said in one turn, and what was answered to it.
    struct Exchange: Hashable, Sendable {
        let said: String
        let heard: String

        /// As the model and the cassette have it.
        var json: JSONValue { ["you": .string(self.said), "they": .string(self.heard)] }
    }

    /// How a conversation stands.
    enum Status: String, CaseIterable, Hashable, Sendable {
        case goingOn = "going_on"
        case reached
        case gaveUp = "gave_up"
    }

    /// What a person does next.
    struct Turn: Hashable, Sendable {
        let status: Status

        /// The next message, if the conversation goes on.
        let say: String

        let reason: String

        /// Reads what a model answers: an object with just these members.
        ///
        /// - Returns: Nil if it is anything else, or says nothing where it goes on.
        init?(_ object: JSONObject) {
            guard object.count == 3, let status = object["status"]?.string.flatMap(Status.init),
                let say = object["say"]?.string, let reason = object["reason"]?.string,
                status != .goingOn || !say.isBlank
            else { return nil }
            self.status = status
            self.say = say
            self.reason = reason
        }

        /// As the cassette and scripts have it.
        var json: JSONValue {
            ["status": .string(self.status.rawValue), "say": .string(self.say), "reason": .string(self.reason)]
        }
    }
}

extension Persona {
    /// Defined here: after how many turns somebody gives up unless the script says otherwise, and at most.
    private static let standardPatience: Int64 = 10
    private static let mostPatience: Int64 = 100

    /// The options of `t:persona`.
    static let options = [
        ParameterDeclaration(
            "by", .string, "The model that writes the turns, as `personas` of `repartee.lua` names it."),
        ParameterDeclaration("goal", .string, "What the person wants, such as \"know when order 4711 arrives\"."),
        ParameterDeclaration("facts", .map(.json), optional: true, "What the person knows; it makes up nothing else."),
        ParameterDeclaration(
            "style", .string, optional: true, "Character and manner, such as \"impatient, in a hurry, no capitals\"."),
        ParameterDeclaration(
            "gives_up_after", .integer, optional: true,
            "After how many turns without the goal the person gives up, from 1 to \(mostPatience); "
                + "\(standardPatience) unless given."),
        ParameterDeclaration(
            "seed", .integer, optional: true,
            "Tells several conversations of the same person apart; 1 unless given."),
        ParameterDeclaration(
            "say", .function, optional: true, "Says a text; the actor's command `say` unless given."),
        ParameterDeclaration(
            "hear", .function, optional: true,
            "Waits for the answer and returns its text; unless given, the texts of the actor's events `message`, the "
                + "first within `within` and each further one within `pause`."),
        ParameterDeclaration(
            "within", .duration, optional: true, "How long the first answer may take; as for `expect` unless given."),
        ParameterDeclaration(
            "pause", .duration, optional: true,
            "After how long without a further message the person goes on; 1s unless given."),
    ]

    /// What `t:persona` returns.
    static let result = [
        ParameterDeclaration("outcome", .choice(["reached", "gave_up"]), "How the conversation ended."),
        ParameterDeclaration("reason", .string, "Why, in the words of the model."),
        ParameterDeclaration("turns", .integer, "How many messages the person wrote."),
        ParameterDeclaration("asked", .list(.string), "What the person wrote, message by message."),
        ParameterDeclaration("got", .list(.string), "What was answered to each."),
    ]

    /// Creates the person of options that are checked already.
    init(_ options: JSONObject) {
        self.goal = options["goal"]?.string ?? ""
        self.facts = options["facts"]?.object ?? [:]
        self.style = options["style"]?.string ?? ""
        self.seed = options["seed"]?.integer ?? 1
    }

    /// Returns after how many turns the person of these options gives up.
    ///
    /// - Throws: ``UsageError`` if they ask for no person at all.
    static func patience(_ options: JSONObject) throws(UsageError) -> Int64 {
        guard let goal = options["goal"]?.string, !goal.isBlank else {
            throw UsageError("t:persona: goal says what the person wants, and is not empty")
        }
        let patience = options["gives_up_after"]?.integer ?? Self.standardPatience
        guard 1...Self.mostPatience ~= patience else {
            throw UsageError(
                "t:persona: gives_up_after is a number of turns from 1 to \(Self.mostPatience), not \(patience)")
        }
        return patience
    }
}
