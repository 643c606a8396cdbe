import JSON
import Machines

@testable import BoldChat

/// The first acts that most tests begin with.
enum Play {
    static let ada: JSONObject = [
        "values": ["first_name": "Ada", "email": "ada@example.com", "initial_question": "Where is my order?"]
    ]

    /// Plays up to the pre-chat form, or what comes instead of it.
    static func created(
        client: JSONObject = [:], server: JSONObject = [:], seed: UInt64 = 1, shuffled: Bool = true
    ) throws -> Rehearsal {
        var play = try Rehearsal(client: client, server: server, seed: seed, shuffled: shuffled)
        play.visitor("create_chat")
        play.settle()
        return play
    }

    /// Plays up to the chat's start.
    static func started(
        client: JSONObject = [:], server: JSONObject = [:], seed: UInt64 = 1, shuffled: Bool = true
    ) throws -> Rehearsal {
        var play = try Self.created(client: client, server: server, seed: seed, shuffled: shuffled)
        play.visitor("submit_pre_chat", Self.ada)
        play.settle()
        return play
    }

    /// Plays up to the first words of an agent.
    static func answered(
        client: JSONObject = [:], server: JSONObject = [:], seed: UInt64 = 1, shuffled: Bool = true
    ) throws -> Rehearsal {
        var play = try Self.started(client: client, server: server, seed: seed, shuffled: shuffled)
        Self.accept(&play)
        play.agent("Sam", "say", ["text": "Hello Ada."])
        play.settle()
        return play
    }

    /// Plays a whole conversation, and looks before and after each step.
    static func whole(_ play: inout Rehearsal, look: (Rehearsal) -> Void) {
        look(play)
        play.visitor("create_chat")
        look(play)
        play.settle()
        look(play)
        play.visitor("submit_pre_chat", Self.ada)
        look(play)
        play.settle()
        look(play)
        Self.accept(&play)
        play.visitor("finish")
        look(play)
        play.settle()
        look(play)
        play.visitor("submit_post_chat", ["values": [:]])
        look(play)
        play.settle()
        look(play)
    }

    static func accept(_ play: inout Rehearsal, by agent: String = "Sam") {
        play.agent(agent, "accept", ["visitor": .object(play.client.identity)])
        play.settle()
    }
}
