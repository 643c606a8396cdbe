import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("What can be read and yet means nothing is told to the side that got it")
struct MeaninglessTests {
    /// A message to all; the consumer is number 1, the agent number 2.
    private static func all(_ message: JSONValue, from source: UInt16) -> TopicFrame {
        TopicFrame(.sendMessage, topic: 0, participant: source, json: message)
    }

    /// A message on the topic of the screen, unless another one is named.
    private static func said(_ message: WindowMessage, from source: UInt16, on topic: UInt16 = 1) -> TopicFrame {
        TopicFrame(.sendMessage, topic: topic, participant: source, payload: message.bytes)
    }

    /// What an actor was told of a frame that the server sent to it; the consumer's screen has nothing to fill in.
    private static func errors(of frame: TopicFrame, to role: String) throws -> [String] {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        let actor = role == "agent" ? agent : consumer
        world.forgetEvents()
        world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": .string(role)])
        #expect(world.events[actor].allSatisfy { $0.event.kind == .error }, "nothing else comes of it")
        return world.events(actor, .error).map { error in
            #expect(error.fields["code"] == (role == "agent" ? 2 : 30_102))
            return error.fields["message"]?.string ?? ""
        }
    }

    @Test(
        "at the consumer",
        arguments: [
            (Self.all(["type": "dance"], from: 2), "the agent sent a message to all of the type \"dance\", which no"),
            (Self.all(["url": "https://a.test"], from: 2), "a message to all without a type"),
            (Self.all(["type": "url"], from: 2), "a link without a URL"),
            (Self.all(["type": "url", "url": 5], from: 2), "a link without a URL"),
            (Self.all(["type": "rejectScreenShare"], from: 2), "\"rejectScreenShare\", which no agent sends"),
            (Self.said(.documentSucceeded(id: 0), from: 2), "the topic 1, shared-window, that no agent sends"),
            (Self.said(.offAssist, from: 2), "that no agent sends"),
            (Self.said(.cursorPing(x: 1, y: 1), from: 77), "the server passed on a message of number 77, who is not"),
            (Self.said(.cursorPing(x: 1, y: 1), from: 2, on: 99), "on the topic 99, which nobody has opened"),
            (
                TopicFrame.permission(topic: 1, target: 2, .allowed, participant: 2),
                "from number 2, who does not own it"
            ),
            (TopicFrame.permission(topic: 1, target: 1, .denied, participant: 2), "a permission on the topic 1"),
            (
                TopicFrame(.participantList, topic: 0, participant: 1, json: [["id": 2, "metadata": "{}"]]),
                "without number 1, to which it came"
            ),
        ])
    func consumer(frame: TopicFrame, message: String) throws {
        guard frame.kind != .participantList else {
            // What else the list says counts.
            let world = try TestWorld()
            let consumer = try world.consumer()
            world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "consumer"])
            #expect(world.events(consumer, .error).first?.fields["message"]?.string?.contains(message) == true)
            return
        }
        let errors = try Self.errors(of: frame, to: "consumer")
        #expect(errors.count == 1 && errors.first?.contains(message) == true, "\(errors)")
    }

    @Test(
        "at the agent",
        arguments: [
            (Self.all(["type": "dance"], from: 1), "the consumer sent a message to all of the type \"dance\""),
            (Self.all([:], from: 1), "a message to all without a type"),
            (Self.all(["type": "url", "url": "/"], from: 1), "\"url\", which no consumer sends"),
            (Self.said(.mouseDown(x: 1, y: 1, button: 0), from: 1), "that no consumer sends"),
            (Self.said(.pushDocument(id: 0, url: "/"), from: 1), "that no consumer sends"),
            (Self.said(.offAssist, from: 77), "the server passed on a message of number 77, who is not"),
            (Self.said(.offAssist, from: 1, on: 99), "on the topic 99, which nobody has opened"),
            (TopicFrame.permission(topic: 1, target: 2, .denied, participant: 7), "from number 7, who does not own it"),
        ])
    func agent(frame: TopicFrame, message: String) throws {
        let errors = try Self.errors(of: frame, to: "agent")
        #expect(errors.count == 1 && errors.first?.contains(message) == true, "\(errors)")
    }

    @Test("a permission of a topic's owner counts under whatever number the owner has come back")
    func ownerWhoCameBack() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: ["retryIntervals": [1]])
        world.serve("drop", ["role": "consumer"])
        world.run(for: .seconds(2))
        #expect(world.property(consumer, "participant") != 1)
        world.act(consumer, "disallow_cobrowse")
        #expect(world.property(agent, "cobrowsing") == false)
        #expect(world.events(agent, .error).isEmpty)
    }

    @Test(
        "unknown members are no complaint",
        arguments: [
            Self.all(["type": "requestScreenShare", "since": 3], from: 2),
            Self.all(["type": "url", "url": "https://a.test", "target": ["_blank"]], from: 2),
        ])
    func members(frame: TopicFrame) throws {
        let world = try TestWorld()
        let (consumer, _) = try world.cobrowsing()
        world.forgetEvents()
        world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "consumer"])
        #expect(!world.events[consumer].isEmpty && world.events(consumer, .error).isEmpty)
    }
}
