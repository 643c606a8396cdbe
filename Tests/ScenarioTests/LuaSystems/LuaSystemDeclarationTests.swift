import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Declarations of systems in Lua")
struct LuaSystemDeclarationTests {
    private static func mistake(_ table: JSONObject) -> String? {
        do throws(UsageError) {
            _ = try LuaSystemDeclaration(table, reserved: ["boldchat"])
            return nil
        } catch { return error.message }
    }

    @Test("a declaration is what it says, with what it leaves out as it is unless given")
    func whole() throws {
        let plain = try LuaSystemDeclaration(["name": "support", "events": [:]], reserved: [])
        #expect(plain.title == "support" && plain.clientName == "client" && plain.framing == nil)
        #expect(plain.events.map(\.kind) == [.error] && plain.parties.isEmpty && plain.options.isEmpty)
        let full = try LuaSystemDeclaration(
            [
                "name": "support_2", "title": "Support", "client": "customer", "options": ["room": "string?"],
                "server_options": ["slow": "duration"],
                "events": ["message": ["text": "string", "kind": "bot|human?"], "typing": [:]], "noise": ["typing"],
                "troubles": ["typing"],
                "absences": ["queue": "Support has no queue"], "properties": ["room": "string"], "frames": "lines",
                "parties": ["agent": ["events": ["chat": ["from": "string"]], "noise": ["chat"]], "bot": [:]],
            ], reserved: [])
        #expect(full.title == "Support" && full.clientName == "customer" && full.framing == .lines(.lineFeed))
        #expect(full.options.map(\.name) == ["room"] && full.options.first?.isOptional == true)
        #expect(full.serverOptions.first?.type == .duration)
        #expect(Set(full.events.map(\.kind.rawValue)) == ["message", "typing", "error"])
        let message = try #require(full.events.first { $0.kind == EventKind("message") })
        #expect(message.fields.first { $0.name == "kind" }?.type == .choice(["bot", "human"]))
        #expect(full.troubles == [EventPattern(EventKind("typing"))] && plain.troubles.isEmpty)
        #expect(full.noise.count == 1 && full.absences == [EventKind("queue"): "Support has no queue"])
        #expect(Set(full.parties.map(\.name)) == ["agent", "bot"])
        #expect(full.parties.first { $0.name == "agent" }?.noise.count == 1)
    }

    @Test("types that bars divide are any of them, and other words a choice, also where some could be types")
    func unions() throws {
        let declared = try LuaSystemDeclaration(
            [
                "name": "a", "events": ["failed": ["error": "integer|string", "view": "list|grid?"]],
                "options": ["tools": "list|table?"], "properties": ["kind": "text|file", "field": "text|number|date"],
            ], reserved: [])
        let fields = try #require(declared.events.first { $0.kind == EventKind("failed") }).fields
        #expect(fields.first { $0.name == "error" }?.type == .either([.integer, .string]))
        #expect(fields.first { $0.name == "view" }?.type == .choice(["list", "grid"]))
        #expect(declared.options.first?.type == .either([.list(.json), .map(.json)]))
        #expect(declared.options.first?.isOptional == true)
        #expect(declared.properties.first { $0.name == "kind" }?.type == .choice(["text", "file"]))
        #expect(declared.properties.first { $0.name == "field" }?.type == .choice(["text", "number", "date"]))
    }

    @Test(
        "each member has its type, and is refused with any other", arguments: LuaSystemDeclaration.members.map(\.name))
    func memberTypes(member: String) throws {
        var table: JSONObject = ["name": "support", "events": [:]]
        for value in [5, true, ["x", 5]] as [JSONValue] {
            table[member] = value
            let message = try #require(Self.mistake(table), "\(member) takes \(value)")
            #expect(message.hasPrefix("system"), "\(message)")
            #expect(message.contains(member), "\(message)")
        }
    }

    @Test("a misspelt member is told with what was meant", arguments: LuaSystemDeclaration.members.map(\.name))
    func misspelt(member: String) {
        var letters = Array(member)
        letters.swapAt(letters.count - 1, letters.count - 2)
        let table: JSONObject = ["name": "support", "events": [:]]
        let misspelt = String(letters) == member ? member + "x" : String(letters)
        #expect(
            Self.mistake(table.merging([misspelt: "x"]))
                == "system has no member \"\(misspelt)\"; did you mean \"\(member)\"?")
    }

    @Test(
        "a misspelt member is told also where its value is none that any member takes",
        arguments: [
            (
                "system { name = 's', events = {}, extend = S }",
                "system has no member \"extend\"; did you mean \"extends\"?"
            ),
            (
                "system { name = 's', evnts = { a = print } }",
                "system has no member \"evnts\"; did you mean \"events\"?"
            ),
            (
                "scenario('a', { retires = print }, print)",
                "scenario has no option \"retires\"; did you mean \"retries\"?"
            ),
            ("fixture('a', { scop = print }, print)", "fixture has no option \"scop\"; did you mean \"scope\"?"),
        ])
    func misspeltWithoutValue(declaration: String, message: String) throws {
        let source = "local S = system { name = 'base', events = {} }\n\(declaration)"
        #expect(ScriptRun.loadingErrors(source).map(\.message) == [message])
    }

    @Test("a misspelt condition of the network is told also where its value is none")
    func misspeltCondition() throws {
        #expect(
            try ScriptRun.mistake(in: "t:network { latncy = print }")
                == "t:network has no option \"latncy\"; did you mean \"latency\"?")
    }

    @Test(
        "what is wrong within a member is told with its place and what to write",
        arguments: [
            (
                [:],
                "system needs the member name: The name in reports and targets; other than those of built-in systems."
            ),
            (
                ["name": "Support", "events": [:]],
                "system: name is lower-case letters, digits and _, such as \"support\", not \"Support\""
            ),
            (
                ["name": "boldchat", "events": [:]],
                "system: there is a built-in system \"boldchat\" already; choose another name"
            ),
            (
                ["name": "a", "events": ["New Message": [:]]],
                "system: events: an event's name is lower-case letters, digits and _, such as \"agent_joined\", not \"New Message\""
            ),
            (
                ["name": "a", "events": ["m": ["text": "strnig"]]],
                "system: events.m: text: there is no type \"strnig\"; did you mean \"string\"?"
            ),
            (
                ["name": "a", "events": ["m": ["text": 5]]],
                "system: events.m: the type of text is a text such as \"string?\", not 5"
            ),
            (
                ["name": "a", "events": ["m": "string"]],
                "system: events.m takes a table of names and types, such as { text = \"string\" }"
            ),
            (
                ["name": "a", "events": [:], "options": ["room": "a||b"]],
                "system: options: room: a choice has words between its bars, such as \"open|ended\", not \"a||b\""
            ),
            (
                ["name": "a", "events": ["m": ["code": "integer|none?"]]],
                "system: events.m: code: in \"integer|none\" integer would be the word \"integer\" and no type; "
                    + "write types alone, such as \"integer|string\" (of string, number, integer, boolean, table, list), "
                    + "words alone, such as \"open|ended\", \"integer?\" for one that may be left out, or \"any\""
            ),
            (
                ["name": "a", "events": [:], "properties": ["code": "string|duration"]],
                "system: properties: code: in \"string|duration\" string would be the word \"string\" and no type; "
                    + "write types alone, such as \"integer|string\" (of string, number, integer, boolean, table, list), "
                    + "words alone, such as \"open|ended\", \"string?\" for one that may be left out, or \"any\""
            ),
            (
                ["name": "a", "events": [:], "properties": ["code": "number|null"]],
                "system: properties: code: in \"number|null\" number would be the word \"number\" and no type; "
                    + "write types alone, such as \"integer|string\" (of string, number, integer, boolean, table, list), "
                    + "words alone, such as \"open|ended\", \"number?\" for one that may be left out, or \"any\""
            ),
            (
                ["name": "a", "events": ["typing": [:]], "noise": ["typin"]],
                "system: noise: \"typin\" is not among the events; did you mean \"typing\"?"
            ),
            (
                ["name": "a", "events": [:], "noise": ["zzzzzz"]],
                "system: noise: \"zzzzzz\" is not among the events; declare it there"
            ),
            (
                ["name": "a", "events": [:], "noise": ["error"]],
                "system: noise: \"error\" tells what goes wrong, such as a message that is none of those declared, so that "
                    + "scenarios have to expect it; one that need not says allow = { \"error\" }"
            ),
            (["name": "a", "events": [:], "noise": [5]], "system: noise is a string, not 5"),
            (
                ["name": "a", "events": [:], "properties": ["events": "string?"]],
                "system: properties: every actor has a member \"events\" already, which hides the property; choose another name"
            ),
            (
                ["name": "a", "events": [:], "properties": ["name": "string"]],
                "system: properties: every actor has a member \"name\" already, which hides the property; choose another name"
            ),
            (
                ["name": "a", "events": [:], "absences": ["No Queue": "x"]],
                "system: absences: an event's name is lower-case letters, digits and _, such as \"agent_joined\", not \"No Queue\""
            ), (["name": "a", "events": [:], "absences": ["queue": 5]], "system: absences.queue is a string, not 5"),
            (
                ["name": "a", "events": ["queue": [:]], "absences": ["queue": "There is no queue"]],
                "system: absences: the system has the event \"queue\"; absences are for what it does not have"
            ),
            (
                ["name": "a", "events": [:], "absences": ["queue": ""]],
                "system: absences: queue is the beginning of a sentence, such as \"The shop says queue instead\""
            ),
            (
                ["name": "a", "events": [:], "title": ""],
                "system: title is what people read in reports, and not empty; leave it out, or name it"
            ),
            (
                ["name": "a", "events": [:], "client": ""],
                "system: client is what people read in reports, and not empty; leave it out, or name it"
            ),
            (
                ["name": "a", "events": ["m": ["who": "actor?"]]],
                "system: events.m: who cannot be an actor, a function or a file, for no event tells of one"
            ),
            (
                ["name": "a", "events": [:], "parties": ["agent": ["events": ["m": ["tools": "functions"]]]]],
                "system: parties.agent.events.m: tools cannot be an actor, a function or a file, for no event tells of one"
            ),
            (
                ["name": "a", "events": [:], "parties": ["Agent": [:]]],
                "system: parties takes tables by names of lower-case letters, such as { agent = { events = { … } } }"
            ),
            (
                ["name": "a", "events": [:], "parties": ["agent": ["event": [:]]]],
                "system: parties.agent has no member \"event\"; did you mean \"events\"?"
            ),
            (
                ["name": "a", "events": [:], "parties": ["agent": ["events": ["m": ["x": "y"]]]]],
                "system: parties.agent.events.m: x: there is no type \"y\"; there are string, number, integer, boolean, duration, any, table, "
                    + "list, actor, function, functions, file, form, words such as \"open|ended\", and ? for optional"
            ),
            (
                ["name": "a", "events": [:], "parties": ["agent": ["noise": ["m"]]]],
                "system: parties.agent.noise: \"m\" is not among the events; declare it there"
            ),
            (
                ["name": "a", "events": [:], "frames": "line"],
                "system: frames cannot be \"line\"; did you mean \"lines\"?"
            ),
            (
                ["name": "a", "events": [:], "json": ["from_servre": [:]]],
                "system json has no option \"from_servre\"; did you mean \"from_server\"?"
            ),
            (
                ["name": "a", "events": [:], "json": ["from_server": [[:]]]],
                "system: json.from_server takes a table of kinds with their members, such as "
                    + "{ message = { text = \"string\" } }; a kind that is a number is its text, as in { [\"1\"] = {} }"
            ),
            (
                ["name": "a", "events": [:], "json": ["from_client": ["say": "string"]]],
                "system: json.from_client.say takes a table of names and types, such as { text = \"string\" }"
            ),
            (
                ["name": "a", "events": [:], "json": ["from_server": ["say": ["text": "strnig"]]]],
                "system: json.from_server.say: text: there is no type \"strnig\"; did you mean \"string\"?"
            ),
            (
                ["name": "a", "events": [:], "json": ["from_server": ["say": ["who": "actor?"]]]],
                "system: json.from_server.say: who cannot be an actor, a function or a file, for no message holds one"
            ),
            (
                ["name": "a", "events": [:], "json": ["by": ""]],
                "system: json: by is the name of a member, such as \"type\", and not empty"
            ),
            (
                ["name": "a", "events": [:], "json": ["separator": ""]],
                "system: json: separator is a text such as \"\\x1e\" or \"\\n\", and not empty"
            ),
            (
                ["name": "a", "events": ["error": ["text": "string"]], "json": [:]],
                "system: json: a message that is none is told by the event \"error\", so events.error has "
                    + "code = \"string\" and message = \"string\", and else what may be missing"
            ),
        ] as [(JSONObject, String)] as [(JSONObject, String)])
    func mistakes(table: JSONObject, message: String) {
        #expect(Self.mistake(table) == message)
    }

    @Test("messages of JSON are what their declaration says, and have the events of their names")
    func messages() throws {
        #expect(try LuaSystemDeclaration(["name": "a", "events": [:]], reserved: []).json == nil)
        let plain = try #require(
            try LuaSystemDeclaration(["name": "a", "events": [:], "json": [:]], reserved: []).json)
        #expect(plain.fromServer.kinds.isEmpty && plain.fromClients.kinds.isEmpty && plain.separator == nil)
        #expect(plain.fromServer.kindMember == "type" && plain.fromClients.kindMember == "type")
        let full = try #require(
            try LuaSystemDeclaration(
                [
                    "name": "a", "events": ["say": ["text": "string"]],
                    "json": [
                        "by": "op", "separator": "\u{1E}", "from_server": ["say": ["text": "string"], "1": [:]],
                        "from_client": ["say": ["text": "string?"]],
                    ],
                ], reserved: []
            ).json)
        #expect(full.fromServer.kindMember == "op" && full.separator == "\u{1E}")
        #expect(full.fromServer.kinds == ["say", "1"] && full.fromClients.kinds == ["say"])
        #expect(full.fromServer.all.map(\.event?.kind) == [EventKind("say"), nil])
        // What clients send is no event of theirs.
        #expect(full.fromClients.all.map(\.event) == [nil])
        #expect(full.fromClients.all.first?.members.first?.isOptional == true)
    }

    @Test(
        "a name is of lower-case letters, digits and underscores, begins with a letter and has 64 bytes at most",
        arguments: [
            ("a", true), ("a_9", true), ("", false), ("9a", false), ("_a", false), ("A", false), ("a-b", false),
            ("é", false), ("a b", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false), ("a\u{0}", false),
        ] as [(String, Bool)])
    func names(text: String, isName: Bool) {
        #expect(LuaSystemDeclaration.isName(text) == isName)
    }
}

@Suite("Commands and types of systems in Lua")
struct LuaCommandTests {
    private static func mistake(_ table: JSONObject) -> String? {
        do throws(UsageError) {
            _ = try LuaCommand(table, name: "say")
            return nil
        } catch { return error.message }
    }

    @Test("a command is what it says, and one without a declaration takes anything")
    func whole() throws {
        let plain = try LuaCommand([:], name: "say")
        #expect(plain.parameters == nil && plain.sends == nil && plain.acknowledgement == nil)
        #expect(plain.described(as: "say").parameters.map(\.name) == ["..."])
        let full = try LuaCommand(
            [
                "parameters": ["text: string", "room : string?", "count"], "sends": "text",
                "acknowledged_by": "delivered",
            ], name: "say")
        #expect(full.parameters?.map(\.name) == ["text", "room", "count"])
        #expect(full.parameters?.map(\.isOptional) == [false, true, true])
        #expect(full.sends == "text" && full.acknowledgement == EventKind("delivered"))
        #expect(try LuaCommand(["parameters": [:]], name: "say").parameters?.isEmpty == true)
    }

    @Test("the text that one sends is a parameter of its function, wherever it stands")
    func sent() throws {
        let room = try LuaCommand(["sends": "text"], name: "say", taking: ["me", "room", "text"])
        #expect(room.parameters?.map(\.name) == ["room", "text"])
        #expect(room.parameters?.map(\.isOptional) == [true, false])
        #expect(try LuaCommand(["sends": "text"], name: "say").parameters?.map(\.name) == ["text"])
        #expect(throws: UsageError.self) {
            try LuaCommand(["sends": "text"], name: "say", taking: ["me", "room", "words"])
        }
        let misspelt = #expect(throws: UsageError.self) {
            try LuaCommand(["sends": "txet"], name: "say", taking: ["me", "text"])
        }
        #expect(
            misspelt?.message
                == "command say: sends names a parameter of type string, and \"txet\" is none; did you mean \"text\"?")
    }

    @Test(
        "parameters stand in the order of its function, whose names may be others",
        arguments: [
            (["me", "room", "text"], "room, text; write them in one order, for \"text\""),
            (["me", "room"], "room; write them in one order, for \"room\""),
            (["me", "text", "place"], nil), (["me", "words", "place"], nil), (nil, nil),
        ] as [([String]?, String?)])
    func order(taken: [String]?, complaint: String?) {
        let table: JSONObject = ["parameters": ["text: string", "room: string"]]
        var message: String?
        do throws(UsageError) { _ = try LuaCommand(table, name: "say", taking: taken) } catch {
            message = error.message
        }
        #expect(
            message
                == complaint.map {
                    "command say: parameters are text, room, and the function takes \($0) would get the value of another one"
                })
    }

    @Test(
        "a parameter that its function does not take is refused, for its value would be lost",
        arguments: [
            (
                ["me", "text"],
                "\"room\", and the function takes text, so that its value would be lost; write function(me, text, room)"
            ),
            (
                ["me"],
                "\"text\", and the function takes nothing, so that its value would be lost; write function(me, text)"
            ),
            (["me", "text", "room", "more"], nil), (nil, nil),
        ] as [([String]?, String?)])
    func lostParameter(taken: [String]?, complaint: String?) {
        let table: JSONObject = ["parameters": ["text: string", "room: string"]]
        var message: String?
        do throws(UsageError) { _ = try LuaCommand(table, name: "say", taking: taken) } catch {
            message = error.message
        }
        #expect(message == complaint.map { "command say: parameters has \($0)" })
    }

    @Test(
        "what is wrong with one is told with its place",
        arguments: [
            (
                ["sends": "text", "parameters": ["text: integer"]],
                "command say: sends names a parameter of type string, and \"text\" is none"
            ),
            (
                ["sends": "txt", "parameters": ["text: string"]],
                "command say: sends names a parameter of type string, and \"txt\" is none; did you mean \"text\"?"
            ),
            (
                ["acknowledged_by": "delivered"],
                "command say: only what sends a text is acknowledged; say which parameter it is with sends"
            ),
            (["parameter": ["text"]], "command say has no member \"parameter\"; did you mean \"parameters\"?"),
            (["parameters": "text"], "command say: parameters is a list, not \"text\""),
            (["parameters": [5]], "command say: parameters is a string, not 5"),
            (
                ["parameters": ["Text: string"]],
                "command say: parameters: a parameter is a name and a type, such as \"text: string\", not \"Text: string\""
            ),
            (
                ["parameters": [""]],
                "command say: parameters: a parameter is a name and a type, such as \"text: string\", not \"\""
            ),
            (
                ["parameters": [": string"]],
                "command say: parameters: a parameter is a name and a type, such as \"text: string\", not \": string\""
            ),
            (
                ["parameters": ["text: strin"]],
                "command say: parameters: text: there is no type \"strin\"; did you mean \"string\"?"
            ),
            (["parameters": ["text: a:b"]], nil), (["parameters": ["text:"]], nil),
            (["sends": 5], "command say: sends is a string, not 5"),
        ] as [(JSONObject, String?)] as [(JSONObject, String?)])
    func mistakes(table: JSONObject, message: String?) throws {
        let found = try #require(Self.mistake(table), "\(table)")
        if let message { #expect(found == message) }
    }

    @Test(
        "modules are named by letters, digits and a few signs, so that no name is anything else of Lua",
        arguments: [
            ("a.b_c-d/e9", true), ("", false), ("a\"", false), ("a b", false), ("a\n", false), ("a]]", false),
            ("é", false), ("a;b", false),
        ] as [(String, Bool)])
    func modules(name: String, isName: Bool) {
        #expect(LuaSystemSource.isModuleName(name) == isName)
    }

    @Test("another script gets a system from the file that declares it, or from one that requires its module")
    func sources() {
        let file = ScriptFile(name: "Scenarios/a.lua", source: "-- own")
        #expect(LuaSystemSource("own", requiredAs: nil, by: file).script.source == "-- own")
        let required = LuaSystemSource("own", requiredAs: "systems.own", by: file)
        #expect(required.script.source == "require \"systems.own\"" && required.script.folder == "Scenarios")
        #expect(required.fileName == "Scenarios/a.lua")
    }
}
