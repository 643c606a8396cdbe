import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Conversations whose link is lost, reset or blocked")
struct LinkSequenceTests {
    private static let seeds = 1...12 as ClosedRange<UInt64>

    @Test("I: a short loss of the network loses and doubles nothing", arguments: seeds)
    func shortLoss(seed: UInt64) throws {
        var play = try Play.answered(seed: seed)
        play.dropSockets()
        play.settle()
        play.agent("Sam", "say", ["text": "Are you there?"])
        play.visitor("say", ["text": "Yes"])
        play.settle()
        #expect(play.events(.messageSent).isEmpty)
        play.wait(.seconds(6))
        #expect(play.opened.count == 2)
        #expect(play.events(.connected).count == 1)
        #expect(play.events(.messageSent).count == 1)
        let operatorTexts = play.events(.message).filter { $0.fields["from"] == "operator" }.map { $0.fields["text"] }
        #expect(operatorTexts == ["Hello Ada.", "Are you there?"])
        #expect(
            play.server.chats.newest(1).first?.transcript.messages.map(\.posting.text).sorted() == [
                "Are you there?", "Hello Ada.", "Where is my order?", "Yes",
            ])
    }

    @Test("J: a long loss ends the chat, and −301 if the account cannot be reached")
    func longLoss() throws {
        var play = try Play.answered(server: ["client_timeout": 20])
        play.refusesSockets = true
        play.dropSockets()
        play.wait(.seconds(21))
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["timeout"])
        var lost = try Play.answered(server: ["client_timeout": 20])
        lost.refusesSockets = true
        lost.intercept = { method, response in method == "finishChat" ? nil : response }
        lost.dropSockets()
        lost.wait(.seconds(51))
        #expect(lost.events(.error).map { $0.fields["code"] } == [-301])
        #expect(lost.client.view.chat?.state == .error)
    }

    @Test("K: the account resets the stream", arguments: seeds)
    func reset(seed: UInt64) throws {
        var play = try Play.answered(seed: seed)
        play.visitor("say", ["text": "before"])
        play.desk("send_reset")
        play.settle()
        #expect(play.count("startChat") == 1)
        #expect(play.last("startChat")?["LastChatMessageID"]?.string != "0")
        play.agent("Sam", "say", ["text": "after"])
        play.settle()
        #expect(play.events(.connected).count == 1)
        #expect(play.events(.message).map { $0.fields["text"] }.count { $0 == "Hello Ada." } == 1)
        #expect(play.events(.message).map { $0.fields["text"] }.count { $0 == "after" } == 1)
        #expect(play.server.chats.newest(1).first?.transcript.messages.count { $0.posting.text == "before" } == 1)
    }

    @Test("L: where sockets are blocked, six attempts later the client polls", arguments: seeds)
    func longPoll(seed: UInt64) throws {
        var play = try Rehearsal(seed: seed, shuffled: true)
        play.refusesSockets = true
        play.visitor("create_chat")
        play.settle()
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        #expect(play.opened.count == 6)
        #expect(play.events(.connected).count == 1)
        Play.accept(&play)
        play.agent("Sam", "say", ["text": "Hello"])
        play.visitor("say", ["text": "Hi"])
        play.wait(.seconds(120))
        #expect(play.events(.accepted).isEmpty)
        #expect(
            play.events(.message).map { $0.fields["text"] } == ["Where is my order?", "Hello", "Hi"]
                || play.events(.message).map { $0.fields["text"] } == ["Where is my order?", "Hi", "Hello"])
        #expect(play.events(.messageSent).count == 1)
        #expect(play.last("sendMessage")?["Message"] == "Hi")
        play.agent("Sam", "finish")
        play.settle()
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["operator"])
    }

    @Test("A client can poll by choice, with the method of its generation", arguments: ["ios", "html"])
    func chosenPoll(profile: String) throws {
        var play = try Play.started(client: ["profile": .string(profile), "link": "long_poll"], server: ["queue": 1])
        #expect(play.opened.isEmpty)
        #expect(Set(play.pollMethods) == [profile == "ios" ? "POST" : "GET"])
        play.wait(.seconds(60))
        #expect(play.events(.queue).map { $0.fields["position"] } == [1, 0])
        Play.accept(&play)
        for number in 1...5 {
            play.agent("Sam", "say", ["text": .string("\(number)")])
            play.visitor("say", ["text": "v"])
            play.wait(.seconds(1))
        }
        let texts = play.events(.message).filter { $0.fields["from"] == "operator" }.compactMap {
            $0.fields["text"]?.string
        }
        #expect(texts == ["1", "2", "3", "4", "5"])
        #expect(play.events(.messageSent).count == 5)
        play.desk("send_reset")
        play.settle()
        #expect(play.count("startChat") == 1)
        play.visitor("finish")
        play.settle()
        #expect(play.events(.postChat).count == 1)
    }
}
