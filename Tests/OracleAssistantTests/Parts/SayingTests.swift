import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("What scripts let a simulated server and its agents say")
struct SayingTests {
    private static func steps(_ saying: UserSaying) throws -> [JSONValue?] {
        try saying.parts(by: "m").map { $0.payload["channelExtensions"]?[ConversationStep.member]?["name"] }
    }

    @Test("is words, or words with the mark of what they stand for")
    func marks() throws {
        let words = try UserSaying.words("hello").parts(by: "say")
        #expect(words == SkillAnswer("hello").parts && words.count == 1)
        #expect(try Self.steps(.words("a")) == [nil])
        #expect(try Self.steps(.queue(position: 3, text: nil)) == [.string(ConversationStep.Name.queue.rawValue)])
        #expect(try Self.steps(.unavailable("a")) == [.string(ConversationStep.Name.unavailable.rawValue)])
        #expect(try Self.steps(.survey("a")) == [.string(ConversationStep.Name.postChat.rawValue)])
        let queue = try UserSaying.queue(position: 3, text: nil).parts(by: "queue")
        #expect(queue.first?.payload["text"] == "You are number 3 in the queue.")
    }

    @Test("is a form before the chat, and nothing else")
    func forms() throws {
        let form = UserSaying.preChat(.object(FormTests.form))
        #expect(try Self.steps(form) == [.string(ConversationStep.Name.preChat.rawValue)])
        #expect(throws: CommandError.self) { try UserSaying.preChat("a").parts(by: "pre_chat") }
    }

    @Test("does nothing but say something")
    func refusals() throws {
        let more: JSONValue = ["messages": ["a"], "end_session": true]
        for saying in [UserSaying.words(more), .unavailable(more), .survey(more), .preChat(more)] {
            #expect(throws: CommandError.self, "\(saying)") { try saying.parts(by: "m") }
        }
        #expect(throws: CommandError.self) { try AgentSaying.message(more).parts(of: "Sam", by: "send") }
    }

    @Test("is the agent's own, and typing is no message")
    func agents() throws {
        for saying in [AgentSaying.text("hi"), .message("hi")] {
            let parts = try saying.parts(of: "Sam", by: "say")
            #expect(parts.map(\.source) == [.agent] && parts.first?.payload["text"] == "hi")
            #expect(parts.first?.payload["channelExtensions"]?["agentName"] == "Sam")
        }
        let typing = try AgentSaying.typing(false).parts(of: "Sam", by: "typing")
        #expect(typing.map(\.payload) == [["type": "status", "status": "LISTENING"]])
    }
}
