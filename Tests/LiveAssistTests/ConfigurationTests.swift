import Foundation
import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

/// The vendor's *Session Configuration* page, if it lies beside the package.
enum SeedTable {
    static let text = SharedMaterial.page("002")

    static let rows: [LiveAssistFacts.Row] = (Self.text ?? "").split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard line.hasPrefix("|"), cells.count == 3, cells[0] != "Property", cells[0] != "-" else { return nil }
        // Line breaks of the page stand as blanks inside some names.
        return Self.value(cells[1]).map { LiveAssistFacts.Row(cells[0].replacing(" ", with: ""), $0) }
    }

    /// The argument labels of the two initializers on the page.
    static let labels: [String] = {
        let text = Self.text ?? ""
        let found = text.matches(of: #/\n {4}([a-zA-Z]+):/#).map { String($0.1) } + ["destination"]
        // The page's network calls have labels of their own.
        let others = ["initWithServer", "type", "httpHost", "urlPath", "httpMethod", "timeoutInterval"]
        return Set(found).subtracting(others).sorted()
    }()

    /// Reads a default as the page writes it.
    static func value(_ text: String) -> JSONValue? {
        switch text {
        case "empty string": return ""
        case "empty array": return []
        case "nil": return .null
        case "true": return true
        case "false": return false
        // The page misspells the color.
        case ".balck": return "black"
        case let text where text.hasPrefix("."): return .string(String(text.dropFirst()))
        case let text where text.hasPrefix("Presents a UIAlertView"): return .null
        default: return try? JSONReader.read(text)
        }
    }
}

@Suite("Configuration")
struct ConfigurationTests {
    @Suite(
        "Facts of the vendor's table",
        .enabled(if: SeedTable.text != nil, "the vendor's page is not beside the package"))
    struct Facts {
        @Test("Properties, defaults and labels are the page's")
        func facts() {
            #expect(SeedTable.rows == LiveAssistFacts.rows)
            #expect(SeedTable.labels == LiveAssistFacts.labels)
        }
    }

    @Suite("The vendor's table")
    struct Table {
        @Test(
            "Every row is a property with that default, and an option of the client", arguments: LiveAssistFacts.rows)
        func everyRow(row: LiveAssistFacts.Row) throws {
            let property = try #require(ConfigurationProperty.all.first { $0.name == row.property })
            #expect(property.guideDefault == row.defaultValue)
            #expect(try SupportConfiguration([:]).values[row.property] == property.guideDefault)
            #expect(LiveAssistSystem.system.client.options.contains { $0.name == row.property })
            #expect(!property.summary.isEmpty)
        }

        @Test("Every argument of the page's initializers is read", arguments: LiveAssistFacts.labels)
        func everyLabel(label: String) {
            let names = ConfigurationProperty.all.flatMap { [$0.name] + $0.aliases }
            #expect(names.contains(label))
        }

        @Test("Properties follow the table's order")
        func order() {
            #expect(Array(ConfigurationProperty.all.prefix(24).map(\.name)) == LiveAssistFacts.rows.map(\.property))
        }
    }

    /// What setting a property does, one check per property.
    private static let effects: [String: @Sendable (TestWorld) throws -> Bool] = [
        "destination": { world in
            let consumer = try world.add(["destination": "agent 1"])
            world.act(consumer, "start_support")
            return world.handshakes.first?.path?.contains("destination=agent%201") == true
        },
        "videoMode": { world in
            let consumer = try world.add(["destination": "a", "videoMode": "none"])
            world.act(consumer, "start_support")
            return world.handshakes.first?.path?.contains("video=none") == true
        },
        "correlationId": { world in
            let consumer = try world.add(["correlationId": "my-room"])
            world.act(consumer, "start_support")
            return world.handshakes.first?.path?.contains("topic=my-room") == true
        },
        "auditName": { world in
            let consumer = try world.add(["auditName": "A b&c"])
            world.act(consumer, "create_short_code")
            return world.requests.first?.head.path?.hasSuffix("auditName=A%20b%26c") == true
        },
        "acceptSelfSignedCerts": { world in
            let trusting = try world.add(["acceptSelfSignedCerts": true])
            let strict = try world.add()
            return world.actors[trusting].acceptsAnyCertificate && !world.actors[strict].acceptsAnyCertificate
        },
        "useCookies": { world in
            for uses in [true, false] {
                let consumer = try world.add(["useCookies": .bool(uses), "correlationId": "r"])
                world.act(consumer, "set_cookie", ["name": "visit", "value": "7"])
                world.act(consumer, "start_support")
                let cookie = world.handshakes.last?.headerFields[.cookie]
                // The server's own cookie goes along.
                guard (cookie?.contains("visit=7") == true && cookie?.contains("assist=") == true) == uses else {
                    return false
                }
            }
            return true
        },
        "isAgentWindowOnTop": { world in
            let agent = try world.add(["role": "agent"])
            world.act(agent, "log_in", ["username": "a"])
            let consumer = try world.add(["destination": "a", "isAgentWindowOnTop": true])
            world.act(consumer, "start_support")
            world.act(agent, "answer_call")
            world.act(agent, "request_cobrowse")
            world.act(consumer, "allow_cobrowse")
            return world.received(agent, "draggable-agent-window") && world.received(agent, "\\\"onTop\\\":true")
        },
        "hidingTags": { world in
            let (_, agent) = try world.cobrowsing(consumer: [
                "hidingTags": [1], "screen": ["elements": [["id": "a", "tag": 1, "label": "covered-label"]]],
            ])
            return !world.received(agent, "covered-label") && world.received(agent, "\"covered\":\"black\"")
        },
        "maskingTags": { world in
            let (_, agent) = try world.cobrowsing(consumer: [
                "maskingTags": [1], "screen": ["elements": [["id": "a", "tag": 1, "label": "covered-label"]]],
            ])
            return !world.received(agent, "covered-label")
        },
        "maskColor": { world in
            let (_, agent) = try world.cobrowsing(consumer: [
                "maskingTags": [1], "maskColor": "red", "screen": ["elements": [["id": "a", "tag": 1]]],
            ])
            return world.received(agent, "\"covered\":\"red\"")
        },
        "timeout": { world in
            let consumer = try world.add(["correlationId": "r", "timeout": 2])
            world.reachability[consumer] = .silent
            world.act(consumer, "start_support")
            world.run(for: .seconds(1.9))
            let early = world.events(consumer, .error).count
            world.run(for: .seconds(0.2))
            return early == 0 && world.events(consumer, .error).count == 1
        },
        "sessionToken": { world in
            let consumer = try world.add(["correlationId": "r", "sessionToken": "abc"])
            world.act(consumer, "start_support")
            return world.requests.isEmpty && world.handshakes.first?.path?.contains("sessionId=abc") == true
        },
        "documentViewConstraints": { world in
            let (consumer, agent) = try world.cobrowsing(consumer: ["documentViewConstraints": ["left": 11]])
            world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
            return world.events(consumer, .documentOpened).first?.fields["x"] == 11
        },
        "addSharedDocCloseListener": { world in
            let (consumer, agent) = try world.cobrowsing(consumer: ["addSharedDocCloseListener": false])
            world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
            world.act(agent, "close_document")
            return world.events(consumer, .documentClosed).isEmpty
        },
        "keepAnnotationsOnChange": { world in
            let (consumer, agent) = try world.cobrowsing(consumer: [
                "keepAnnotationsOnChange": true, "screen": ["elements": [["id": "a"]]],
            ])
            world.act(agent, "draw", ["path": "M 1 1 L 9 9"])
            world.act(consumer, "change", ["id": "a", "value": "x"])
            world.run(for: .seconds(1))
            return world.events(consumer, .annotationAdded).count == 1
                && world.events(consumer, .annotationsCleared).isEmpty
        },
        "screenShareRequestedDelegate": { world in
            let consumer = try world.consumer(["agentCobrowseDelegate": .null, "screenShareRequestedDelegate": true])
            let agent = try world.agent()
            world.act(agent, "request_cobrowse")
            return world.events(consumer, .cobrowseRequested).first?.fields["callback"]
                == "assistSDKScreenShareRequested(_:deny:)"
        },
        "agentCobrowseDelegate": { world in
            // With both, the screen-share delegate is never called.
            let consumer = try world.consumer(["agentCobrowseDelegate": true, "screenShareRequestedDelegate": true])
            let agent = try world.agent()
            world.act(agent, "request_cobrowse")
            return world.callbacks(consumer).contains("agentRequestedCobrowse(_:)")
                && !world.callbacks(consumer).contains("assistSDKScreenShareRequested(_:deny:)")
        },
        "connectionDelegate": { world in
            let with = try world.consumer(["connectionDelegate": true])
            let without = try world.add(["correlationId": "other"])
            world.act(without, "start_support")
            return world.callbacks(with).contains("onConnect()") && world.callbacks(without).isEmpty
        },
        "pushDelegate": { world in
            let (consumer, agent) = try world.cobrowsing(consumer: ["pushDelegate": true])
            world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
            return world.events(consumer, .documentRequested).count == 1
        },
        "uui": { world in
            world.serve("set_access", ["mode": "trusted"])
            let consumer = try world.add(["correlationId": "r", "uui": "Hi"])
            world.act(consumer, "start_support")
            return String(decoding: world.requests[0].body, as: UTF8.self).contains("uui=4869")
                && world.serverProperties["sessions"]?[0]?["uui"] == "4869"
        },
        "retryIntervals": { world in
            let consumer = try world.consumer(["retryIntervals": [0.5]])
            world.serve("drop")
            return world.events(consumer, .reconnecting).first?.fields["in"] == 0.5
        },
        "maxReconnectTimeouts": { world in
            let consumer = try world.consumer(["retryIntervals": [1], "maxReconnectTimeouts": [0.5]])
            world.reachability[consumer] = .silent
            world.serve("drop")
            world.run(for: .seconds(1.5))
            return world.events(consumer, .terminated).count == 1
        },
        "initialConnectTimeout": { world in
            let consumer = try world.add(["sessionToken": "t", "correlationId": "c", "initialConnectTimeout": 2])
            world.reachability[consumer] = .silent
            world.act(consumer, "start_support")
            world.run(for: .seconds(2))
            return world.events(consumer, .error).count == 1
        },
        "isProgrammaticUI": { world in
            let consumer = try world.add(["isProgrammaticUI": true])
            return world.property(consumer, "configuration")?["isProgrammaticUI"] == true
        },
        "server": { world in
            let consumer = try world.add(["server": "http://[1::2]:99", "correlationId": "r"])
            world.act(consumer, "start_support")
            return world.requests.first?.head.authority == "[1::2]:99"
        },
        "autoStart": { world in
            let consumer = try world.add(["autoStart": true])
            return world.property(consumer, "configuration")?["autoStart"] == true
        },
        "agentName": { world in
            let consumer = try world.consumer(["agentName": "Our agent"])
            try _ = world.agent(["name": ""])
            return world.events(consumer, .agentJoinedSession).first?.fields["agent"] == "Our agent"
        },
        "permissionsColors": { world in
            let (_, agent) = try world.cobrowsing(consumer: [
                "permissionsColors": ["bank": "blue"], "screen": ["elements": [["id": "a", "permission": "bank"]]],
            ])
            return world.received(agent, "\"covered\":\"blue\"")
        },
        "connection": { world in
            let consumer = try world.add(["connection": true])
            return world.property(consumer, "configuration")?["connection"] == true
        },
    ]

    @Test("Every property has its effect", arguments: ConfigurationProperty.all.map(\.name))
    func effect(property: String) throws {
        let check = try #require(Self.effects[property])
        #expect(try check(try TestWorld()))
    }

    @Test("The other spellings of two properties are read")
    func aliases() throws {
        let configuration = try SupportConfiguration(["addSharedDocCloseLink": false, "initialConnectionTimeout": 2])
        #expect(!configuration.documents.canClose)
        #expect(configuration.connection.initialTimeout == .seconds(2))
    }

    @Test("Guide and initializer defaults differ where the vendor contradicts itself, and both can be chosen")
    func defaultsSources() throws {
        let guide = try SupportConfiguration(["defaults": "guide"])
        let initializer = try SupportConfiguration(["defaults": "initializer"])
        #expect(guide.connection.retryIntervals == [1, 2, 4, 8, 16, 32].map { .seconds($0) })
        #expect(initializer.connection.retryIntervals.isEmpty)
        #expect(guide.connection.reconnectTimeouts.last == .seconds(5))
        #expect(initializer.connection.reconnectTimeouts.allSatisfy { $0 == .zero })
        #expect(guide.connection.initialTimeout == .seconds(30))
        #expect(initializer.connection.initialTimeout == .zero)
    }

    @Test("UUI is ignored with a session token and outside trusted mode", arguments: ["enabled", "trusted"])
    func uui(mode: String) throws {
        let world = try TestWorld(server: ["access": .string(mode)])
        let consumer = try world.add(["correlationId": "r", "uui": "Hi"])
        world.act(consumer, "start_support")
        #expect(world.serverProperties["sessions"]?[0]?["uui"] == (mode == "trusted" ? "4869" : .null))
        let other = try world.add(["correlationId": "r", "uui": "Hi", "sessionToken": "t"])
        let before = world.requests.count
        world.act(other, "start_support")
        #expect(world.requests.count == before)
    }

    @Test("The default prompt admits every agent once it was accepted")
    func prompt() throws {
        let world = try TestWorld()
        let consumer = try world.consumer(["agentCobrowseDelegate": .null])
        let first = try world.agent(["name": "First"])
        world.act(first, "request_cobrowse")
        #expect(world.events(consumer, .cobrowseRequested).first?.fields["callback"] == "")
        world.act(consumer, "allow_cobrowse")
        let second = try world.agent(["name": "Second"])
        world.act(second, "request_cobrowse")
        #expect(world.events(consumer, .cobrowseRequested).count == 1)
        #expect(world.events(second, .screen).count == 1)
    }

    @Test("An agent may be admitted before it asks")
    func preApproval() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        let agent = try world.agent(["name": "Sam"])
        world.act(consumer, "allow_cobrowse", ["agent": "Sam"])
        #expect(world.events(agent, .screen).count == 1)
        #expect(world.events(consumer, .cobrowseRequested).isEmpty)
    }

    @Test(
        "A token opens only sessions that its expression matches",
        arguments: [
            ("room", true), (".*", true), ("ro+m", true), ("other", false), ("oom", false),
            ("((.*)*)*x", false),
        ])
    func allowedTopic(expression: String, isOpen: Bool) throws {
        let world = try TestWorld()
        try _ = world.consumer()
        let agent = try world.agent(["allowed_topic": .string(expression)])
        #expect(world.events(agent, .connected).count == (isOpen ? 1 : 0))
        #expect(world.events(agent, .error).count == (isOpen ? 0 : 1))
    }

    @Test("An expression that cannot be read is refused before anybody is asked for a token")
    func unreadableTopic() throws {
        let world = try TestWorld()
        #expect(throws: ConfigurationError.self) { try world.add(["role": "agent", "allowed_topic": "("]) }
    }

    @Test(
        "A property is given by one of its names, in the actor's options and in those of one session",
        arguments: [
            ("maxReconnectTimeouts", "maxReconnectionTimeouts", [2.0]),
            ("initialConnectTimeout", "initialConnectionTimeout", 2.0),
            ("addSharedDocCloseListener", "addSharedDocCloseLink", false),
        ] as [(String, String, JSONValue)])
    func twoNames(name: String, alias: String, value: JSONValue) throws {
        let both = JSONObject([(name, value), (alias, value)])
        #expect(throws: ConfigurationError.self) { try SupportConfiguration(both) }
        let world = try TestWorld()
        let consumer = try world.add(JSONObject([(name, value), ("correlationId", JSONValue.string("room"))]))
        guard case .refused = world.command(consumer, "start_support", ["configuration": .object(both)]) else {
            Issue.record("both names are given")
            return
        }
        // What one session says by another name counts for it.
        let other = JSONObject([(alias, value)])
        #expect(world.command(consumer, "start_support", ["configuration": .object(other)]) == .done(.null))
    }

    @Test("Agents log in with their password where passwords are set", arguments: [("right", true), ("wrong", false)])
    func logIn(password: String, isLetIn: Bool) throws {
        let world = try TestWorld(server: ["agents": ["sam": "right"]])
        let agent = try world.add(["role": "agent"])
        world.act(agent, "log_in", ["username": "sam", "password": .string(password)])
        #expect(world.events(agent, .sessionCreated).count == (isLetIn ? 1 : 0))
        #expect(world.events(agent, .error).first?.fields["name"] == (isLetIn ? nil : "PERMISSION"))
    }
}
