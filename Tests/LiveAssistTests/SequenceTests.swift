import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("Example sequences")
struct SequenceTests {
    @Test("Co-browsing only, accepted: callbacks in the documented order", arguments: 0...5)
    func accepted(seed: UInt64) throws {
        let world = try TestWorld(seed: seed, shuffles: seed > 0)
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "hello", "label": "Hello", "value": "World"]]]
        ])
        world.act(agent, "draw", ["path": "M 1 1 L 20 20"])
        world.act(agent, "clear_annotations")
        world.act(consumer, "end_support")
        #expect(
            world.callbacks(consumer) == [
                "onConnect()", "agentJoinedSession(_:)", "agentRequestedCobrowse(_:)", "agentJoinedCobrowse(_:)",
                "cobrowseActiveDidChange(to:)", "assistSDKWillAddAnnotation(_:)", "assistSDKDidAddAnnotation(_:)",
                "assistSDKDidClearAnnotations(_:)", "cobrowseActiveDidChange(to:)", "onTerminated(_:)",
            ])
        #expect(world.events(consumer, .terminated).first?.fields["code"] == 50101)
        #expect(world.events(agent, .cobrowseActive).map { $0.fields["active"] } == [true, false])
        #expect(world.events(agent, .ended).count == 1)
        #expect(world.received(agent, "World"))
        #expect(world.property(consumer, "state") == "ended")
    }

    @Test("The wire of the accepted case: opened topics, permission, size, picture, on")
    func wire() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing()
        let screen = world.frames[agent].compactMap { TopicFrame($0) }
        let kinds = screen.map(\.kind)
        #expect(Array(kinds.prefix(2)) == [.participantList, .topicList])
        let list = try #require(screen[1].json?[0])
        #expect(list["private"] == true)
        #expect(list["metadata"] == "{\"type\":\"shared-window\",\"interactive\":\"true\",\"scrollable\":\"true\"}")
        let messages = screen.filter { $0.kind == .sendMessage }.compactMap { WindowMessage($0.payload) }
        guard messages.count >= 3, case .windowResized(390, 844) = messages[0], case .rectangleUpdated = messages[1],
            case .onAssist = messages[2]
        else {
            Issue.record("the screen must come as size, picture, on: \(messages)")
            return
        }
    }

    @Test("Denied: the agent is told and may ask again")
    func denied() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        let agent = try world.agent()
        for round in 1...2 {
            world.act(agent, "request_cobrowse")
            world.act(consumer, "disallow_cobrowse")
            #expect(world.events(agent, .cobrowseRejected).count == round)
        }
        #expect(world.events(agent, .screen).isEmpty)
        world.act(agent, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        #expect(world.events(agent, .screen).count == 1)
    }

    @Test("A short code leads both sides into one session and is used up by both")
    func shortCode() throws {
        let world = try TestWorld()
        let consumer = try world.add(["auditName": "Ada & co"])
        let agent = try world.add(["role": "agent"])
        world.act(consumer, "create_short_code")
        let code = try #require(world.events(consumer, .shortCode).last?.fields["code"])
        world.act(consumer, "redeem_short_code", ["code": code])
        let redeemed = try #require(world.events(consumer, .shortCode).last)
        world.act(
            consumer, "start_support",
            [
                "configuration": [
                    "sessionToken": redeemed.fields["session_token"] ?? "",
                    "correlationId": redeemed.fields["correlation_id"] ?? "",
                ]
            ])
        #expect(world.events(consumer, .connected).count == 1)
        #expect(world.requests[0].head.path == "/assistserver/shortcode/create?auditName=Ada%20%26%20co")
        #expect(world.serverProperties["last_handshake"]?["metadata"]?["auditName"] == "Ada & co")
        world.act(agent, "join", ["short_code": code])
        #expect(world.events(agent, .consumerJoined).count == 1)
        #expect(world.events(consumer, .agentJoinedSession).count == 1)
        // Used by both: it is good for nothing now.
        let late = try world.add(["role": "agent"])
        world.act(late, "join", ["short_code": code])
        #expect(world.events(late, .error).count == 1)
        world.act(consumer, "redeem_short_code", ["code": code])
        #expect(world.events(consumer, .error).last?.fields["message"]?.string?.contains("410") == true)
    }

    @Test("A short code lives five minutes", arguments: [(299, true), (300, false), (301, false)])
    func shortCodeLife(seconds: Int, isGood: Bool) throws {
        let world = try TestWorld()
        let consumer = try world.add()
        world.act(consumer, "create_short_code")
        let code = try #require(world.events(consumer, .shortCode).last?.fields["code"])
        world.run(for: .seconds(seconds))
        world.act(consumer, "redeem_short_code", ["code": code])
        #expect(world.events(consumer, .shortCode).count == (isGood ? 2 : 1))
        #expect(world.events(consumer, .error).count == (isGood ? 0 : 1))
    }

    @Test("Escalating with a destination is refused: the existing call knows it")
    func escalationWithDestination() throws {
        let world = try TestWorld()
        let consumer = try world.add()
        let outcome = world.act(
            consumer, "start_support",
            ["configuration": ["sessionToken": "t", "correlationId": "c", "destination": "agent1"]])
        guard case .refused(let why) = outcome else {
            Issue.record("must be refused")
            return
        }
        #expect(why.contains("destination must be empty"))
    }

    @Test("A call to an agent on duty: session, ringing, answer, co-browsing session, hang-up")
    func call() throws {
        let world = try TestWorld(server: ["access": "trusted"])
        let agent = try world.add(["role": "agent", "name": "Sam"])
        world.act(agent, "log_in", ["username": "agent1"])
        let consumer = try world.add(["destination": "agent1", "uui": "order 42 ü", "videoMode": "agentOnly"])
        world.act(consumer, "start_support")
        let offer = try #require(world.events(agent, .call).first)
        #expect(offer.fields["status"] == "ringing")
        #expect(offer.fields["uui"] == "order 42 ü")
        #expect(offer.fields["video"] == "agentOnly")
        world.act(agent, "answer_call")
        #expect(
            world.events(consumer, .call).map { $0.fields["status"]?.string ?? "" } == [
                "setup", "alerting", "ringing", "mediaPending", "inCall",
            ])
        #expect(world.events(consumer, .agentJoinedSession).first?.fields["agent"] == "Sam")
        world.act(agent, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        #expect(world.property(consumer, "cobrowsing") == true)
        world.act(agent, "hang_up")
        #expect(world.events(consumer, .supportEnded).first?.fields["callback"] == "supportCallDidEnd()")
        #expect(world.events(agent, .supportEnded).count == 1)
        #expect(world.property(consumer, "state") == "ended")
    }

    @Test(
        "Call failures have their codes",
        arguments: [
            ("busy", 20102), ("not_found", 20101), ("timeout", 20104), ("fail", 20105),
        ])
    func callFailures(answer: String, code: Int64) throws {
        let world = try TestWorld(server: ["call": .string(answer)])
        let consumer = try world.add(["destination": "nobody"])
        world.act(consumer, "start_support")
        world.run(for: .seconds(31))
        #expect(world.events(consumer, .error).map { $0.fields["code"] } == [.integer(code)])
        #expect(world.property(consumer, "state") == "idle")
        #expect(world.events(consumer, .supportEnded).isEmpty)
    }

    @Test("A call that fails says why, before it is answered and after", arguments: CallError.allCases)
    func callErrors(error: CallError) throws {
        for isAnswered in [false, true] {
            let world = try TestWorld(server: ["call": "script"])
            let consumer = try world.add(["destination": "nobody"])
            world.act(consumer, "start_support")
            if isAnswered { world.serve("set_call_status", ["status": "inCall"]) }
            world.serve("set_call_status", ["status": "error", "error": .string(error.rawValue)])
            let told = world.events(consumer, .error)
            #expect(told.map { $0.fields["code"] } == [.integer(Int64(error.code.rawValue))])
            #expect(told.map { $0.fields["name"] } == [.string(error.rawValue)])
            #expect(world.property(consumer, "state") == (isAnswered ? "ended" : "idle"))
            #expect(world.events(consumer, .supportEnded).count == (isAnswered ? 1 : 0))
        }
    }

    @Test(
        "A call needs the microphone, and the camera for video in both directions",
        arguments: [
            (["microphone": false], 20108), (["microphone": false, "camera": false], 20108),
            (["camera": false], 20107), (["camera": false, "videoMode": "agentOnly"], nil),
            (["camera": false, "videoMode": "none"], nil), (["microphone": false, "videoMode": "none"], 20108),
            (["microphone": true, "camera": true], nil),
        ] as [(JSONObject, Int64?)])
    func media(options: JSONObject, code: Int64?) throws {
        let world = try TestWorld()
        let consumer = try world.add(options.merging(["destination": "sales"]))
        world.act(consumer, "start_support")
        #expect(world.events(consumer, .error).map { $0.fields["code"] } == (code.map { [.integer($0)] } ?? []))
        #expect(world.events(consumer, .sessionCreated).count == (code == nil ? 1 : 0))
        // Browsing together needs neither.
        let other = try world.add(options.merging(["correlationId": "room"]))
        world.act(other, "start_support")
        #expect(world.events(other, .error).isEmpty)
    }

    @Test("A script plays the states of a call itself")
    func scriptedCall() throws {
        let world = try TestWorld(server: ["call": "script"])
        let consumer = try world.add(["destination": "group"])
        world.act(consumer, "start_support")
        world.serve("set_call_status", ["status": "queued"])
        world.serve("set_call_status", ["status": "inCall"])
        #expect(world.events(consumer, .connected).count == 1)
        world.serve("set_call_status", ["status": "ended"])
        #expect(world.events(consumer, .supportEnded).count == 1)
    }

    @Test("A busy agent's second call is queued and rings when the first one ends")
    func queuedCall() throws {
        let world = try TestWorld()
        let agent = try world.add(["role": "agent"])
        world.act(agent, "log_in", ["username": "agent1"])
        let first = try world.add(["destination": "agent1"])
        let second = try world.add(["destination": "agent1"])
        world.act(first, "start_support")
        world.act(agent, "answer_call")
        world.act(second, "start_support")
        #expect(world.events(second, .call).last?.fields["status"] == "queued")
        world.act(agent, "hang_up")
        #expect(world.events(second, .call).last?.fields["status"] == "ringing")
    }

    @Test("A refused session is 30101, a second start 30103, a silent server 30102")
    func startErrors() throws {
        let world = try TestWorld(server: ["access": "disabled"])
        let consumer = try world.add(["correlationId": "room"])
        world.act(consumer, "start_support")
        #expect(world.events(consumer, .error).last?.fields["code"] == 30101)
        world.serve("set_access", ["mode": "enabled"])
        world.act(consumer, "start_support")
        #expect(world.events(consumer, .connected).count == 1)
        world.act(consumer, "start_support")
        #expect(world.events(consumer, .error).last?.fields["code"] == 30103)
        #expect(world.property(consumer, "state") == "in_session")
        let other = try world.add(["correlationId": "room"])
        world.reachability[other] = .silent
        world.act(other, "start_support")
        world.run(for: .seconds(6))
        #expect(world.events(other, .error).map { $0.fields["code"] } == [30102])
    }

    @Test("Pausing stops pictures and input, resuming sends a new picture")
    func pause() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "name", "type": "text", "label": "Name", "value": "before"]]]
        ])
        world.act(consumer, "pause_cobrowse")
        #expect(world.events(agent, .cobrowseActive).last?.fields["active"] == false)
        world.forgetEvents()
        world.act(consumer, "change", ["id": "name", "value": "while paused"])
        world.act(agent, "push_link", ["url": "https://example.test"])
        world.act(agent, "type_text", ["x": 5, "y": 5, "text": "from the agent"])
        world.act(agent, "draw", ["path": "M 1 1 L 2 2"])
        world.run(for: .seconds(5))
        #expect(world.events(agent, .screen).isEmpty)
        #expect(world.events[consumer].isEmpty)
        world.act(consumer, "resume_cobrowse")
        #expect(world.events(agent, .cobrowseActive).last?.fields["active"] == true)
        #expect(world.events(agent, .screen).last?.fields["elements"]?[0]?["value"] == "while paused")
    }

    @Test("Outside a session pausing and resuming do nothing")
    func pauseOutside() throws {
        let world = try TestWorld()
        let consumer = try world.add()
        #expect(world.act(consumer, "pause_cobrowse") == .done(.null))
        #expect(world.act(consumer, "resume_cobrowse") == .done(.null))
        #expect(world.events[consumer].isEmpty)
    }

    @Test("Two agents see what both may see; when one leaves, the other sees its own again")
    func twoAgents() throws {
        let world = try TestWorld()
        let (consumer, first) = try world.cobrowsing(
            consumer: [
                "screen": [
                    "elements": [
                        ["id": "a", "label": "for A", "permission": "A"],
                        ["id": "b", "label": "for B", "permission": "B"],
                        ["id": "open", "label": "for all"],
                    ]
                ]
            ], agent: ["name": "First", "permissions": ["viewable": ["default", "A"], "interactive": []]])
        func labels(_ agent: Int) throws -> [String] {
            try #require(try world.command(agent, "view").value.array).compactMap { $0["label"]?.string }
        }
        #expect(try labels(first) == ["for A", "for all"])
        let second = try world.agent([
            "name": "Second", "permissions": ["viewable": ["default", "B"], "interactive": []],
        ])
        world.act(second, "request_cobrowse")
        world.act(consumer, "allow_cobrowse", ["agent": "Second"])
        #expect(try labels(first) == ["for all"])
        #expect(try labels(second) == ["for all"])
        #expect(!world.received(second, "for A") && !world.received(first, "for B"))
        world.act(consumer, "disallow_cobrowse", ["agent": "Second"])
        #expect(try labels(first) == ["for A", "for all"])
        #expect(try labels(second).isEmpty)
        #expect(!world.received(second, "for A"))
        #expect(world.events(consumer, .agentLeftCobrowse).first?.fields["agent"] == "Second")
        #expect(world.events(consumer, .cobrowseActive).count == 1)
        world.act(first, "leave_cobrowse")
        #expect(world.events(consumer, .cobrowseActive).last?.fields["active"] == false)
        world.act(first, "leave_session")
        #expect(world.events(consumer, .agentLeftSession).count == 1)
        // An agent who left may ask again.
        world.act(second, "request_cobrowse")
        #expect(world.events(consumer, .cobrowseRequested).last?.fields["agent"] == "Second")
    }

    @Test("A form is offered, filled and shown; a password field never is")
    func form() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": [
                "elements": [
                    ["id": "n", "type": "text", "label": "Name"], ["id": "c", "type": "checkbox", "label": "Agree"],
                    ["id": "p", "type": "password", "label": "Secret", "value": "hunter2"],
                    ["id": "x", "type": "text", "label": "Same"], ["id": "y", "type": "text", "label": "Same"],
                ]
            ]
        ])
        // It is offered once, so that what is filled into it counts.
        #expect(world.events(agent, .form).count == 1)
        let form = try #require(world.events(agent, .form).last)
        #expect(form.fields["fields"]?.array?.map { $0["label"] } == ["Name", "Agree"])
        world.act(agent, "fill_form", ["values": ["Name": "Ada", "Agree": true]])
        #expect(world.events(consumer, .remoteInput).map { $0.fields["value"] } == ["Ada", "true"])
        let screen = try world.command(consumer, "screen").value
        #expect(screen["elements"]?[0]?["value"] == "Ada")
        #expect(world.events(agent, .form).last?.fields["populated"] == true)
        #expect(!world.received(agent, "hunter2"))
        guard case .notOffered = world.command(agent, "fill_form", ["values": ["Secret": "x"]]) else {
            Issue.record("a field that is not offered must be refused")
            return
        }
    }

    @Test("A form stays the same while others come and go, and what was filled in meanwhile counts", arguments: 0...5)
    func formOfSeveralAgents(seed: UInt64) throws {
        let world = try TestWorld(seed: seed, shuffles: seed > 0)
        let (consumer, first) = try world.cobrowsing(
            consumer: ["screen": ["elements": [["id": "n", "type": "text", "label": "Name"]]]], agent: ["name": "First"]
        )
        let second = try world.agent(["name": "Second"])
        world.act(second, "request_cobrowse")
        world.command(consumer, "allow_cobrowse", ["agent": "Second"])
        world.command(first, "fill_form", ["values": ["Name": "Ada"]])
        world.run()
        #expect(world.events(consumer, .remoteInput).map { $0.fields["value"] } == ["Ada"])
        world.act(second, "leave_cobrowse")
        world.act(first, "fill_form", ["values": ["Name": "Grace"]])
        #expect(world.events(consumer, .remoteInput).last?.fields["value"] == "Grace")
        let numbers = world.events(first, .form).compactMap { $0.fields["screen_id"]?.integer }
        #expect(Set(numbers).count == 1)
        #expect(world.events(first, .form).count { $0.fields["populated"] == false } == 1)
    }

    @Test("What is filled into a form that is gone is dropped")
    func oldForm() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "n", "type": "text", "label": "Name"]]]
        ])
        world.command(agent, "fill_form", ["values": ["Name": "Ada"]])
        // The same ids, and yet another form.
        world.command(
            consumer, "show_screen", ["screen": ["elements": [["id": "n", "type": "text", "label": "Code"]]]])
        world.run()
        #expect(world.events(consumer, .remoteInput).isEmpty)
        #expect(world.events(agent, .form).last?.fields["fields"]?[0]?["label"] == "Code")
    }
}
