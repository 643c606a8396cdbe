import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("A conversation that is played by hand")
struct HandPlayTests {
    /// A visitor and an agent of BoldChat who have said something, with the person's pauses.
    private func greeted() throws -> HandPlayed {
        let hand = try HandPlayed("boldchat", options: ["queue": 2, "queue_interval": "3s"])
        #expect(hand.join("visitor") == nil)
        #expect(hand.perform("visitor", "create_chat", ["options": ["skip_pre_chat": true]]) == nil)
        hand.wait(.seconds(12))
        #expect(hand.join("Sam", "agent") == nil)
        #expect(hand.perform("Sam", "accept", ["visitor": "visitor"]) == nil)
        hand.wait(.milliseconds(2600))
        #expect(hand.perform("Sam", "say", ["text": "Good \"morning\"!\n]] --"]) == nil)
        #expect(hand.perform("visitor", "say", ["text": "Hello."]) == nil)
        hand.wait(.milliseconds(1300))
        #expect(hand.perform("Sam", "finish") == nil)
        hand.wait(.seconds(1))
        return hand
    }

    @Test("what was said is saved as a scenario that passes")
    func saves() throws {
        let hand = try self.greeted()
        let text = hand.play.scenario
        #expect(text.contains(#"sam:accept(visitor)"#))
        #expect(text.contains(#"sam:say("Good \"morning\"!\n]] --")"#))
        #expect(text.contains(#"visitor:expect("message", { "#))
        #expect(text.contains(#"sam:expect("message", { text = "Hello." })"#), "\(text)")
        #expect(text.contains("expect(visitor.chat_state, "))
        let run = try hand.replayed()
        #expect(run.end.outcome == .passed, "\(run.messages)\n\(text)")
        #expect(run.end.isEmpty == false)
    }

    @Test(
        "a scenario that was saved fails where the system does otherwise",
        arguments: [
            (#"visitor:say("Hello.")"#, #"visitor:say("Hullo.")"#),
            (#"sam:finish()"#, ""),
            (#"visitor:create_chat({ skip_pre_chat = true })"#, "visitor:create_chat()"),
        ])
    func differs(line: String, other: String) throws {
        let hand = try self.greeted()
        #expect(hand.play.scenario.contains(line))
        #expect(try hand.replayed { $0.replacing(line, with: other) }.end.outcome == .failed)
    }

    @Test("a mistake is told with what was meant, and is not saved")
    func mistakes() throws {
        let hand = try HandPlayed("boldchat")
        #expect(hand.join("visitor", options: ["lnik": "web_socket"])?.contains("did you mean \"link\"") == true)
        #expect(hand.join("visitor") == nil)
        #expect(hand.join("visitor") == "there is a \"visitor\" already")
        #expect(hand.join("Sam", "agnet")?.contains("did you mean \"agent\"") == true)
        #expect(hand.perform("visitor", "sya")?.contains("did you mean \"say\"") == true)
        #expect(hand.perform("visitor", "say", ["txet": "a"])?.contains("did you mean \"text\"") == true)
        #expect(hand.perform("visitor", "say", ["text": 7])?.contains("text is a string") == true)
        #expect(hand.perform("visitor", "say")?.contains("needs text") == true)
        #expect(hand.perform("Eve", "say") == "nobody here is called \"Eve\"")
        #expect(
            hand.perform("visitor", "create_chat", ["options": ["skp_pre_chat": true]])?.contains("skip_pre_chat")
                == true)
        let text = hand.play.scenario
        #expect(!text.contains("say") && !text.contains("lnik") && !text.contains("create_chat"), "\(text)")
        #expect(try hand.replayed().end.outcome == .passed)
    }

    @Test("systems in Lua are played as those that are built in")
    func lua() throws {
        let hand = try HandPlayed("support")
        #expect(hand.join("Ada", options: ["topic": "returns"]) == nil)
        #expect(hand.perform("Ada", "connect") == nil)
        #expect(hand.join("Sam", "agent") == nil)
        #expect(hand.perform("Sam", "accept") == nil)
        #expect(hand.perform("Sam", "say", ["text": "Hello, Ada."]) == nil)
        #expect(hand.perform("Ada", "say", ["text": "Where is it?"]) == nil)
        #expect(hand.observed("Ada").contains("message") && hand.observed("Sam").contains("message"))
        let run = try hand.replayed()
        #expect(run.end.outcome == .passed, "\(run.messages)\n\(hand.play.scenario)")
        #expect(
            try hand.replayed { $0.replacing("say(\"Hello, Ada.\")", with: "say(\"Bye.\")") }.end.outcome == .failed)
    }

    @Test("secrets stand in what is saved by their names, and nowhere else")
    func secrets() throws {
        let hand = try HandPlayed("boldchat", options: ["access_key": "1:2:opensesame"])
        hand.join("visitor", options: ["access_key": "1:2:opensesame"])
        hand.perform("visitor", "create_chat", ["options": ["skip_pre_chat": true]])
        let text = hand.play.scenario
        #expect(text.contains(#"access_key = secret("ACCESS_KEY")"#) && !text.contains("opensesame"), "\(text)")
        #expect(text.contains("-- The environment has what must not stand here: ACCESS_KEY."))
        #expect(!JSONValue.object(hand.play.changes(after: 0)).description.contains("opensesame"))
        let run = try hand.replayed(variables: ["ACCESS_KEY": "1:2:opensesame"])
        #expect(run.end.outcome == .passed, "\(run.messages)")
    }

    @Test("a page is told what has happened since it looked, and who plays")
    func changes() throws {
        let hand = try HandPlayed("boldchat")
        hand.join("visitor")
        let known = hand.play.version
        let count = hand.play.steps.count
        hand.perform("visitor", "create_chat", ["options": ["skip_pre_chat": true]])
        let news = hand.play.changes(after: known)
        let steps = try #require(news["steps"]?.array)
        #expect(steps.first?["what"] == "commanded" && steps.first?["name"] == "create_chat")
        #expect(steps.count == hand.play.steps.count - count)
        let actors = try #require(news["actors"]?.array)
        #expect(actors.map { $0["role"] } == ["server", "client"])
        #expect(actors.last?["state"]?["session_state"] != nil)
        #expect(news["origin"]?.string?.hasPrefix("http://") == true)
        #expect(hand.play.changes(after: hand.play.version)["steps"]?.array?.isEmpty == true)
    }

    @Test("what is no chat system cannot be begun", arguments: ["nothing", "boldchat.lua", "../a", "stomp.frames", ""])
    func unknown(name: String) {
        #expect(throws: ConfigurationError.self) { try HandPlayed(name) }
    }

    @Test("who waits for a command is told when the conversation is closed")
    func closing() throws {
        let hand = try HandPlayed("support")
        #expect(hand.join("Ada") == nil)
        var outcome: Result<JSONValue, ConfigurationError>?
        hand.play.perform("Ada", "connect", [:]) { outcome = $0 }
        #expect(outcome == nil)
        hand.play.close()
        #expect(throws: ConfigurationError.self) { try outcome?.get() }
    }

    @Test("no more happens in a conversation than can be kept")
    func bounds() throws {
        let hand = try HandPlayed("boldchat")
        for number in 1..<HandPlay.actorLimit { #expect(hand.join("Agent \(number)", "agent") == nil) }
        #expect(hand.join("one more", "agent")?.contains("cannot play") == true)
        while hand.play.steps.count < HandPlay.stepLimit - 1 { #expect(hand.perform("server", "chats") == nil) }
        // The last one is refused, and told so, though no more is kept.
        #expect(hand.perform("Agent 1", "say", ["text": "nobody is there"]) != nil)
        guard case .refused(HandPlay.stepLimit - 1, _) = hand.play.steps.last?.content else {
            Issue.record("\(String(describing: hand.play.steps.last))")
            return
        }
        #expect(hand.perform("server", "chats")?.contains("begin another one") == true)
        #expect(hand.play.steps.count == HandPlay.stepLimit + 1)
    }
}
