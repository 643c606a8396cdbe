import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("Vocabulary")
struct VocabularyTests {
    private let system = LiveAssistSystem.system

    @Test(
        "Every callback of the vendor is an event that the system declares",
        arguments: Callback.consumer + Callback.agent)
    func callbacks(callback: Callback) {
        #expect(self.system.events.contains { $0.kind == callback.kind })
    }

    @Test("Every callback comes in some scenario, with its kind")
    func everyCallbackComes() throws {
        var seen: Set<String> = []
        func note(_ world: TestWorld) {
            for event in world.events.flatMap({ $0 }).map(\.event) {
                seen.insert("\(event.kind.rawValue) \(event.fields["callback"]?.string ?? "")")
            }
        }
        let busy = try Self.busyWorld()
        note(busy)
        let screenShare = try TestWorld()
        let consumer = try screenShare.consumer(["agentCobrowseDelegate": .null, "screenShareRequestedDelegate": true])
        let agent = try screenShare.agent(["retryIntervals": [1, 2]])
        screenShare.act(agent, "request_cobrowse")
        screenShare.act(consumer, "disallow_cobrowse")
        screenShare.serve("drop")
        screenShare.run(for: .seconds(2))
        screenShare.reachability[agent] = .refused
        screenShare.serve("drop", ["role": "agent"])
        screenShare.run(for: .seconds(9))
        note(screenShare)
        let call = try TestWorld()
        let desk = try call.add(["role": "agent"])
        call.act(desk, "log_in", ["username": "a"])
        let caller = try call.add(["destination": "a"])
        call.act(caller, "start_support")
        call.act(desk, "answer_call")
        call.act(desk, "hang_up")
        call.act(desk, "join", ["short_code": "0"])
        note(call)
        for callback in Callback.consumer + Callback.agent {
            #expect(seen.contains("\(callback.kind.rawValue) \(callback.name)"), "\(callback.name)")
        }
        // And no event carries a name that is in no table.
        let known = Set((Callback.consumer + Callback.agent).map { "\($0.kind.rawValue) \($0.name)" })
        for name in seen where !name.hasSuffix(" ") { #expect(known.contains(name), "\(name)") }
    }

    @Test("No role observes what is declared for the other one alone")
    func roles() throws {
        let world = try Self.busyWorld()
        for (actor, events) in world.events.enumerated() {
            let absences = world.actors[actor].absences
            #expect(!absences.isEmpty && events.allSatisfy { absences[$0.event.kind] == nil }, "\(actor)")
        }
        let kinds = Set(world.actors.flatMap(\.absences.keys))
        #expect(kinds.isSubset(of: self.system.events.map(\.kind)))
    }

    /// A session in which nearly everything happens.
    static func busyWorld() throws -> TestWorld {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "pushDelegate": true,
            "screen": [
                "elements": [
                    ["id": "f", "type": "text", "label": "F"], ["id": "c", "type": "checkbox", "label": "C"],
                    ["id": "s", "type": "select", "options": ["one", "two"]], ["id": "h", "label": "shown"],
                ]
            ],
        ])
        world.act(agent, "draw", ["path": "M 1 1 L 9 9"])
        world.act(agent, "point", ["x": 1, "y": 1])
        world.act(agent, "clear_annotations")
        world.act(agent, "fill_form", ["values": ["F": "x"]])
        world.act(agent, "click", ["element": "c"])
        world.act(agent, "scroll")
        world.act(agent, "double_click", ["x": 1, "y": 1])
        world.act(agent, "push_link", ["url": "https://example.test"])
        for (type, answer) in [
            ("image/png", "accept_document"), ("image/png", "reject_document"), ("a/b", "accept_document"),
        ] {
            world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": .string(type)])
            world.act(consumer, answer)
        }
        for status in [200, 404] {
            world.act(agent, "push_document", ["url": .string("/documents/\(status)/image/png")])
            world.act(consumer, "accept_document")
        }
        world.act(agent, "close_document", ["id": 3])
        world.act(agent, "close_document", ["id": 0])
        world.act(consumer, "share_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        world.act(consumer, "close_document")
        world.act(consumer, "share_document", ["data": "AAAA", "type": "a/b"])
        world.act(agent, "start_zoom")
        world.act(agent, "end_zoom")
        world.act(consumer, "take_snapshot")
        world.act(consumer, "create_short_code")
        world.run(for: .seconds(2))
        world.serve("drop", ["role": "consumer"])
        world.run(for: .seconds(3))
        world.act(agent, "leave_cobrowse")
        let other = try world.agent(["name": "Other"])
        world.act(other, "leave_session")
        world.act(consumer, "end_support")
        return world
    }

    @Test("Names are declared once")
    func uniqueNames() {
        for names in [
            self.system.client.methods.map(\.name), self.system.client.options.map(\.name),
            self.system.server.methods.map(\.name), self.system.server.options.map(\.name),
            self.system.events.map(\.kind.rawValue),
        ] {
            #expect(Set(names).count == names.count, "\(names.sorted())")
        }
    }

    @Test("Every declared method is known to one role", arguments: LiveAssistSystem.system.client.methods.map(\.name))
    func knownMethods(name: String) throws {
        func isKnown(_ name: String, toAgent isAgent: Bool) throws -> Bool {
            let world = try TestWorld()
            let (consumer, agent) = try world.cobrowsing()
            let outcome = world.act(isAgent ? agent : consumer, name, ["x": 1, "y": 1])
            if case .refused(let why) = outcome, why.hasPrefix("\(name) is not a method of a") { return false }
            return !outcome.isUnknownMethod(name)
        }
        let isKnownToOne = try isKnown(name, toAgent: false) || isKnown(name, toAgent: true)
        #expect(isKnownToOne)
        #expect(try !isKnown("invented", toAgent: false))
        #expect(try !isKnown("invented", toAgent: true))
    }

    @Test("Every declared method says whose it is, and is known to just those")
    func methodRoles() throws {
        let roles = ["Of a consumer: ": [false], "Of an agent: ": [true], "Of both roles: ": [false, true]]
        for method in self.system.client.methods {
            let told = try #require(roles.first { method.summary.hasPrefix($0.key) }?.value, "\(method.name)")
            for isAgent in [false, true] {
                let world = try TestWorld()
                let actor = try isAgent ? world.add(["role": "agent"]) : world.add()
                guard case .refused(let why) = world.command(actor, method.name, ["x": 1, "y": 1]) else {
                    #expect(told.contains(isAgent), "\(method.name)")
                    continue
                }
                #expect(why.hasPrefix("\(method.name) is not a method of a") != told.contains(isAgent), "\(why)")
            }
        }
    }

    @Test(
        "Every declared method of the server is known to it",
        arguments: LiveAssistSystem.system.server.methods.map(\.name))
    func knownServerMethods(name: String) throws {
        let world = try TestWorld()
        #expect(!world.serve(name).isUnknownMethod(name))
        #expect(world.serve("invented").isUnknownMethod("invented"))
    }

    @Test("Every event has its declared fields and no others")
    func declaredFields() throws {
        let world = try Self.busyWorld()
        let events = world.events.flatMap(\.self).map(\.event)
        #expect(Set(events.map(\.kind)).count > 5)
        for event in events {
            #expect(self.system.events.deviations(of: event).isEmpty)
        }
    }

    @Test(
        "A method of the other role says which role it needs, whether or not there is a session",
        arguments: [true, false])
    func wrongRole(isCobrowsing: Bool) throws {
        let world = try TestWorld()
        let (consumer, agent) =
            isCobrowsing ? try world.cobrowsing() : (try world.add(), try world.add(["role": "agent"]))
        guard case .refused(let first) = world.command(consumer, "request_cobrowse"),
            case .refused(let second) = world.command(agent, "pause_cobrowse", ["x": 1, "y": 1])
        else {
            Issue.record("both must be refused")
            return
        }
        #expect(first.contains("role = \"agent\"") && second.contains("role = \"consumer\""))
    }

    @Test(
        "Screens that cannot be used are refused",
        arguments: [
            "x", ["elements": [["label": "no id"]]], ["elements": [["id": "a"], ["id": "a"]]], [:],
            ["elements": [["id": "a", "lable": "L"]]], ["elements": [["id": "a", "Tag": 1]]],
            ["elements": [["id": "a", "tag": "1"]]], ["elements": [["id": "a", "type": "textfield"]]],
            ["elements": [["id": "a", "secure_text": true]]], ["elements": [], "heigth": 4],
        ] as [JSONValue])
    func badScreens(screen: JSONValue) throws {
        #expect(throws: CommandError.self) { try ScreenDescription.read(screen) }
        #expect(throws: ConfigurationError.self) {
            try ConsumerClient(ClientConfiguration(origin: TestWorld.origin, target: [:], options: ["screen": screen]))
        }
    }

    @Test("A member of an element that is null is one that was not given")
    func nullMembers() throws {
        let names = ScreenDescription.elementMembers.map(\.name).filter { $0 != "id" }
        let element = JSONObject([("id", "a")] + names.map { ($0, JSONValue.null) })
        #expect(
            try ScreenDescription.read(["elements": [.object(element)]])
                == ScreenDescription.read(["elements": [["id": "a"]]]))
    }

    @Test("What the product has not is said in words, and is no event that it has")
    func absences() {
        #expect(!self.system.absences.isEmpty)
        for (kind, absence) in self.system.absences {
            #expect(absence.hasPrefix("Live Assist has no"))
            #expect(!self.system.events.contains { $0.kind == kind })
        }
    }
}
