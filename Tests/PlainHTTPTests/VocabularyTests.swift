import JSON
import MachineKit
import Machines
import Testing

@testable import PlainHTTP

@Suite("Vocabulary")
struct VocabularyTests {
    private let system = PlainHTTPSystem.system

    @Test("Every event of a long conversation is declared with all of its fields, and its peer's as well")
    func declared() throws {
        var world = try TestWorld(server: [
            "answers": [
                [
                    "to": "/stream",
                    "events": [
                        ["event": "a", "id": "1", "retry": 5, "data": ["choices": [["delta": ["content": "x"]]]]], "y",
                    ],
                ],
                ["to": "/limited", "status": 429, "headers": ["Retry-After": "1"]],
                ["to": "/binary", "pieces": ["a"]],
                ["to": "/bad", "text": "no", "headers": ["Content-Type": "application/json"]],
                ["to": "/whole", "json": [["text": "a"]]],
            ]
        ])
        for url in ["/stream", "/limited", "/binary", "/bad", "/whole", "/gone"] {
            world.act("post", ["url": .string(url), "options": ["form": ["a": "b"]]])
            world.run(for: .seconds(5))
        }
        world.act("post", ["url": "/stream", "body": ["a": 1], "options": ["mode": "cumulative", "piece": "$.a"]])
        world.act("cancel")
        world.run()
        let peer = try #require(self.system.parties.first)
        for (events, declarations) in [(world.events, self.system.events), (world.peerEvents, peer.events)] {
            for event in events { #expect(declarations.deviations(of: event).isEmpty) }
        }
        #expect(Set(world.kinds).count > 6)
    }

    @Test("Every method that is declared is one, on both sides")
    func methods() throws {
        var world = try TestWorld()
        for method in self.system.client.methods {
            let outcome = world.act(method.name, ["method": "PUT"])
            #expect(!outcome.isUnknownMethod(method.name), "\(method.name)")
        }
        #expect(world.act("invented").isUnknownMethod("invented"))
        for (party, methods) in [("peer", ServerVocabulary.peerCommands.methods), (nil, self.system.server.methods)] {
            for method in methods {
                world.act("send")
                world.run(for: .zero)
                let outcome = world.serve(method.name, by: party)
                #expect(!outcome.isUnknownMethod(method.name), "\(method.name)")
            }
            #expect(world.serve("invented", by: party).isUnknownMethod("invented"))
        }
    }

    @Test("A peer's events are written as the standard wants them")
    func eventText() {
        func text(_ value: JSONValue) -> String { String(decoding: EventText.event(value), as: UTF8.self) }
        #expect(text("a") == "data: a\n\n")
        #expect(text("a\nb\r\nc") == "data: a\ndata: b\ndata: c\n\n")
        #expect(text(["event": "e", "id": "1", "data": ["a": 1]]) == "event: e\nid: 1\ndata: {\"a\":1}\n\n")
        #expect(text(["comment": "ping"]) == ": ping\n\n")
        #expect(text(["data": 1, "other": 2]) == "data: {\"data\":1,\"other\":2}\n\n")
        #expect(text([:]) == "data: {}\n\n")
    }
}
