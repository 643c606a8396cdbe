import JSON
import Machines
import Testing

@testable import LiveAssist

@Suite("What must stay hidden")
struct PrivacyTests {
    /// A case of the vendor's permission rules: marker of parent and child, the agent's sets, and what follows.
    struct PermissionCase: Sendable, CustomTestStringConvertible {
        let parent: String?
        let child: String?
        let viewable: [String]?
        let interactive: [String]?
        /// Whether parent and child are seen, and whether they can be touched.
        let expected: [Bool]

        init(_ parent: String?, _ child: String?, _ viewable: [String]?, _ interactive: [String]?, _ expected: [Bool]) {
            self.parent = parent
            self.child = child
            self.viewable = viewable
            self.interactive = interactive
            self.expected = expected
        }

        var testDescription: String {
            "parent \(self.parent ?? "none") child \(self.child ?? "none") viewable \(self.viewable ?? ["absent"])"
                + " interactive \(self.interactive ?? ["absent"])"
        }
    }

    private static let cases = [
        // One element alone: the child inherits its parent's marker here, so both columns agree.
        PermissionCase("X", nil, ["X"], ["X"], [true, true, true, true]),
        PermissionCase("X", nil, ["X"], [], [true, true, false, false]),
        PermissionCase("X", nil, [], ["X"], [false, false, false, false]),
        PermissionCase("X", nil, ["default"], ["X"], [false, false, false, false]),
        PermissionCase("X", nil, ["X"], ["default"], [true, true, false, false]),
        PermissionCase(nil, nil, ["default"], ["X"], [true, true, false, false]),
        PermissionCase(nil, nil, ["X"], ["X"], [false, false, false, false]),
        PermissionCase(nil, nil, [], [], [false, false, false, false]),
        PermissionCase("A", "B", ["A"], ["A"], [true, false, true, false]),
        PermissionCase("A", "B", ["A", "B"], ["A"], [true, true, true, false]),
        PermissionCase("A", "B", ["A", "B"], ["B"], [true, true, false, true]),
        PermissionCase("A", "B", ["B"], ["B"], [false, false, false, false]),
        PermissionCase(nil, "B", ["B"], ["B"], [false, false, false, false]),
        // No permissions at all are the default marker; an object without a set is an empty set.
        PermissionCase(nil, nil, nil, nil, [true, true, true, true]),
        PermissionCase("X", nil, nil, nil, [false, false, false, false]),
        PermissionCase(nil, nil, ["default"], nil, [true, true, false, false]),
        // Markers are compared in lower case.
        PermissionCase("Bank", nil, ["BANK"], ["bank"], [true, true, true, true]),
    ]

    @Test("Permissions decide what is seen and touched as the vendor's table says", arguments: PrivacyTests.cases)
    func permissions(permissionCase: PermissionCase) throws {
        var child: JSONObject = [
            "id": "child", "type": "text", "label": "child-label", "x": 10, "y": 10, "width": 50, "height": 20,
        ]
        child["permission"] = permissionCase.child.map { .string($0) }
        var parent: JSONObject = [
            "id": "parent", "type": "text", "label": "parent-label", "x": 0, "y": 0, "width": 200, "height": 100,
            "elements": [.object(child)],
        ]
        parent["permission"] = permissionCase.parent.map { .string($0) }
        var options: JSONObject = [:]
        if permissionCase.viewable != nil || permissionCase.interactive != nil {
            var sets: JSONObject = [:]
            sets["viewable"] = permissionCase.viewable.map { .array($0.map { .string($0) }) }
            sets["interactive"] = permissionCase.interactive.map { .array($0.map { .string($0) }) }
            options["permissions"] = .object(sets)
        }
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(
            consumer: ["screen": ["elements": [.object(parent)]]], agent: options)
        #expect(world.received(agent, "parent-label") == permissionCase.expected[0])
        #expect(world.received(agent, "child-label") == permissionCase.expected[1])
        world.forgetEvents()
        world.act(agent, "type_text", ["x": 150, "y": 80, "text": "into parent"])
        world.act(agent, "type_text", ["x": 20, "y": 15, "text": "into child"])
        let typed = world.events(consumer, .remoteInput).map { $0.fields["element"] }
        #expect(typed.contains("parent") == permissionCase.expected[2])
        #expect(typed.contains("child") == permissionCase.expected[3])
    }

    @Test("Hidden and masked elements are boxes, their children included", arguments: ["hidingTags", "maskingTags"])
    func tags(property: String) throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(consumer: [
            property: [7], "maskColor": "green",
            "screen": [
                "elements": [
                    [
                        "id": "card-id", "tag": 7, "label": "card-label", "value": "card-value",
                        "elements": [["id": "inner-id", "label": "inner-label", "value": "inner-value"]],
                    ], ["id": "free", "tag": 8, "label": "shown"],
                ]
            ],
        ])
        for text in ["card", "inner"] { #expect(!world.received(agent, text)) }
        #expect(world.received(agent, "shown"))
        let color = world.events(agent, .screen).last?.fields["elements"]?[0]?["covered"]
        #expect(color == (property == "hidingTags" ? "black" : "green"))
    }

    @Test("Boxes of a marker have the color of permissionsColors")
    func permissionColors() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(consumer: [
            "permissionsColors": ["Bank": "blue"],
            "screen": ["elements": [["id": "a", "permission": "bank"], ["id": "b", "permission": "other"]]],
        ])
        let elements = try #require(world.events(agent, .screen).last?.fields["elements"]?.array)
        #expect(elements.map { $0["covered"] } == ["blue", "black"])
    }

    @Test("A form is offered to all who watch, and filled only by those who may touch it")
    func formPermissions() throws {
        let world = try TestWorld()
        let (consumer, first) = try world.cobrowsing(
            consumer: ["screen": ["elements": [["id": "f", "type": "text", "label": "Field"]]]],
            agent: ["name": "First"])
        let looking: JSONValue = ["viewable": ["default"], "interactive": []]
        let second = try world.agent(["name": "Second", "permissions": looking])
        world.act(second, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        world.act(second, "fill_form", ["values": ["Field": "by the second"]])
        #expect(world.events(consumer, .remoteInput).isEmpty)
        world.act(first, "fill_form", ["values": ["Field": "by the first"]])
        #expect(world.events(consumer, .remoteInput).map { $0.fields["value"] } == ["by the first"])
    }

    @Test("A secure field shows dots and never its value, and is not offered for filling")
    func secureFields() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "pin", "label": "PIN", "type": "text", "secure": true, "value": "4711"]]]
        ])
        #expect(world.received(agent, "PIN") && world.received(agent, "••••"))
        #expect(!world.received(agent, "4711"))
        #expect(world.events(agent, .form).isEmpty)
    }

    @Test(
        "Whatever happens in a session, no frame to an agent holds what that agent must not see", arguments: 1...40)
    func nothingLeaks(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let world = try TestWorld(seed: seed, shuffles: true)
        // Secrets carry their reason in their text, so that any frame can be searched for them.
        func screen(_ round: Int) -> JSONValue {
            [
                "elements": [
                    ["id": "open", "type": "text", "label": "Open", "value": "visible"],
                    [
                        "id": "s-hidden-id", "type": "text", "tag": 1, "label": "s-hidden-label",
                        "value": .string("s-hidden-\(round)"),
                        "elements": [["id": "s-hidden-child", "type": "button", "label": "s-hidden-button"]],
                    ],
                    [
                        "id": "s-masked-id", "type": "select", "tag": 2, "label": "s-masked",
                        "options": ["s-masked-option"],
                    ],
                    [
                        "id": "s-bank-id", "type": "text", "permission": "bank", "label": "s-bank",
                        "value": .string("s-bank-\(round)"),
                    ],
                    [
                        "id": "s-shop-id", "type": "text", "permission": "shop", "label": "s-shop",
                        "value": "s-shop-value",
                    ],
                    ["id": "pass", "type": "password", "label": "Password", "value": "s-password"],
                ]
            ]
        }
        let consumer = try world.consumer(["hidingTags": [1], "maskingTags": [2], "screen": screen(0)])
        let permissions: [[String]] = [["default"], ["default", "bank"], ["default", "shop"], ["bank", "shop"]]
        let agents = try permissions.enumerated().map { number, viewable in
            let set = JSONValue.array(viewable.map { .string($0) })
            return try world.agent([
                "name": .string("Agent \(number)"), "permissions": ["viewable": set, "interactive": set],
            ])
        }
        for round in 1...120 {
            let agent = agents.randomElement(using: &random)!
            let name = JSONObject([("agent", JSONValue.string("Agent \(agents.firstIndex(of: agent)!)"))])
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1, 2: world.command(agent, "request_cobrowse")
            case 3, 4, 5: world.command(consumer, "allow_cobrowse", name)
            case 6: world.command(consumer, "disallow_cobrowse", name)
            case 7: world.command(agent, "leave_cobrowse")
            case 8: world.command(consumer, "show_screen", ["screen": screen(round)])
            case 9: world.command(consumer, "change", ["id": "s-bank-id", "value": .string("s-bank-\(round)")])
            case 10: world.command(consumer, "change", ["id": "s-hidden-id", "value": .string("s-hidden-\(round)")])
            case 11: world.command(consumer, "take_snapshot")
            case 12: world.command(agent, "click", ["x": 10, "y": .integer(Int64.random(in: 0...250, using: &random))])
            case 13:
                world.command(
                    agent, "type_text",
                    ["x": 10, "y": .integer(Int64.random(in: 0...250, using: &random)), "text": "typed"])
            case 16: world.command(agent, "fill_form", ["values": ["Open": "filled"]])
            case 17: world.command(agent, "double_click", ["x": 10, "y": 50])
            case 18: world.command(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
            case 19: world.command(consumer, "share_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
            case 14: world.serve("drop", ["role": Bool.random(using: &random) ? "consumer" : "agent"])
            default: world.command(consumer, Bool.random(using: &random) ? "pause_cobrowse" : "resume_cobrowse")
            }
            if Bool.random(using: &random) { world.run(for: .milliseconds(Int64.random(in: 0...1500, using: &random))) }
        }
        world.run(for: .seconds(60))
        for (number, agent) in agents.enumerated() {
            var secrets = ["s-hidden", "s-masked", "s-password"]
            if !permissions[number].contains("bank") { secrets.append("s-bank") }
            if !permissions[number].contains("shop") { secrets.append("s-shop") }
            // An agent without the default marker sees nothing of the screen but boxes.
            if !permissions[number].contains("default") { secrets.append("visible") }
            for secret in secrets { #expect(!world.received(agent, secret), "agent \(number) \(secret)") }
        }
    }

    /// A screen of random elements that lie over each other, children outside of their parents among them.
    private static func pile(_ random: inout RandomSource) -> JSONValue {
        func element(_ id: String, _ depth: Int) -> JSONValue {
            var members: JSONObject = [
                "id": .string(id), "type": depth == 0 ? "container" : "text", "label": .string(id),
                "value": .string("v\(Int.random(in: 0..<100, using: &random))"),
                "x": .integer(Int64.random(in: 0...300, using: &random)),
                "y": .integer(Int64.random(in: 0...300, using: &random)),
                "width": .integer(Int64.random(in: 1...120, using: &random)),
                "height": .integer(Int64.random(in: 1...120, using: &random)),
            ]
            members["tag"] = Int.random(in: 0..<6, using: &random) == 0 ? 1 : nil
            if depth == 0 { members["elements"] = .array((0..<2).map { element("\(id)\($0)", 1) }) }
            return .object(members)
        }
        return ["elements": .array(["a", "b", "c", "d"].map { element($0, 0) })]
    }

    @Test("Whatever happens, the agent has a true picture of what it may see", arguments: 1...20 as ClosedRange<UInt64>)
    func truePicture(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let world = try TestWorld()
        let options: JSONObject = ["maskingTags": [1]]
        var screen = try ScreenDescription.read(Self.pile(&random))
        let configuration = try SupportConfiguration(options)
        let (consumer, agent) = try world.cobrowsing(consumer: options.merging(["screen": Self.pile(&random)]))
        var isShown = false
        for round in 1...60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let next = Self.pile(&random)
                screen = try ScreenDescription.read(next)
                isShown = true
                world.command(consumer, "show_screen", ["screen": next])
            case 1, 2:
                let id = ["a", "b1", "c0", "d"].randomElement(using: &random) ?? "a"
                let marker = Bool.random(using: &random) ? "bank" : ""
                guard isShown else { continue }
                _ = screen.update(id) { $0.permission = marker.isEmpty ? nil : marker }
                world.command(consumer, "change", ["id": .string(id), "permission": .string(marker)])
            case 3, 4, 5:
                let id = ["a0", "b0", "c1", "d1"].randomElement(using: &random) ?? "a0"
                guard isShown else { continue }
                _ = screen.update(id) { $0.value = "n\(round)" }
                world.command(consumer, "change", ["id": .string(id), "value": .string("n\(round)")])
            case 6: world.command(consumer, "pause_cobrowse")
            default: world.command(consumer, "resume_cobrowse")
            }
            world.run(for: .milliseconds(Int64.random(in: 0...900, using: &random)))
            guard isShown, round % 10 == 0 else { continue }
            world.command(consumer, "resume_cobrowse")
            world.run(for: .seconds(2))
            let expected = RedactedScreen(screen, for: .unsaid, configuration).items.map(\.json)
            #expect(world.property(agent, "elements") == .array(expected))
        }
        #expect(isShown)
    }

    @Test("A snapshot in many chunks holds nothing that is covered, and all that is shown")
    func longSnapshot() throws {
        let elements = (0..<200).map { number -> JSONValue in
            [
                "id": .string("e\(number)"), "label": .string(number % 2 == 0 ? "open-\(number)-" : "s-\(number)-"),
                "tag": .integer(Int64(number % 2)),
            ]
        }
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "hidingTags": [1], "screen": ["elements": .array(elements)],
        ])
        world.act(consumer, "take_snapshot")
        let shown = try #require(world.events(agent, .snapshot).first?.fields["elements"]?.array)
        #expect(shown.count == 200)
        for number in 0..<200 {
            #expect(world.received(agent, number % 2 == 0 ? "open-\(number)-" : "s-\(number)-") == (number % 2 == 0))
        }
    }

    @Test("The search for secrets finds what is shown")
    func searchFinds() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(
            consumer: ["screen": ["elements": [["id": "a", "permission": "bank", "value": "s-bank-1"]]]],
            agent: ["permissions": ["viewable": ["default", "bank"], "interactive": []]])
        #expect(world.received(agent, "s-bank-1"))
    }

    @Test("A server that lets in whom nobody admitted gets no picture")
    func hostileServer() throws {
        let world = try TestWorld()
        let consumer = try world.consumer(["screen": ["elements": [["id": "a", "label": "secret-label"]]]])
        let agent = try world.agent()
        // The server says that participant 2 is in topic 1, though the consumer admitted nobody.
        let frame = TopicFrame(.joinTopic, topic: 1, participant: 2, json: ["metadata": "{}"])
        world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "consumer"])
        #expect(world.events(consumer, .agentJoinedCobrowse).isEmpty)
        world.run(for: .seconds(5))
        #expect(!world.received(agent, "secret-label"))
    }
}
