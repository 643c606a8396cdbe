import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Systems in Lua that extend others")
struct LuaSystemExtensionTests {
    private static let base: JSONObject = [
        "name": "base", "title": "Base", "client": "client", "options": ["user": "string?"],
        "events": ["message": ["text": "string", "from": "string?"], "typing": [:]], "noise": ["typing"],
        "absences": ["queue": "It has no queue", "survey": "It asks nobody"], "frames": ["lines": "\r\n"],
        "parties": ["peer": ["events": ["message": ["text": "string"]]]],
    ]

    private static func declaration(_ own: JSONObject) throws -> LuaSystemDeclaration {
        try LuaSystemDeclaration(LuaSystemExtension.table(own, extending: Self.base), reserved: [])
    }

    @Test("a system has what it extends, but for the names")
    func inherited() throws {
        let shop = try Self.declaration(["name": "shop", "events": [:]])
        #expect(shop.name == "shop" && shop.title == "shop" && shop.clientName == "client")
        #expect(shop.options.map(\.name) == ["user"] && shop.parties.map(\.name) == ["peer"])
        #expect(shop.noise == [EventPattern(EventKind("typing"))])
        #expect(shop.absences.count == 2 && shop.framing != nil)
    }

    @Test("what it declares itself is added, and counts where both have it")
    func own() throws {
        let shop = try Self.declaration([
            "name": "shop", "client": "visitor", "options": ["user": "string", "vip": "boolean?"],
            "events": ["message": ["order": "integer", "from": "string"], "queue": ["position": "integer"]],
            "noise": ["queue"], "frames": "lines", "parties": ["peer": ["events": ["chat": [:]]], "bot": [:]],
        ])
        #expect(shop.clientName == "visitor" && shop.framing == .lines(.lineFeed))
        #expect(shop.options.first { $0.name == "user" }?.isOptional == false)
        #expect(Set(shop.options.map(\.name)) == ["user", "vip"])
        let message = try #require(shop.events.first { $0.kind == EventKind("message") })
        #expect(Set(message.fields.map(\.name)) == ["text", "from", "order"])
        #expect(message.fields.first { $0.name == "from" }?.isOptional == false)
        #expect(Set(shop.noise.map(\.kind.rawValue)) == ["typing", "queue"])
        #expect(shop.parties.first { $0.name == "peer" }?.events.count == 2 && shop.parties.count == 2)
        // An event that the other one says it lacks is what this one is for.
        #expect(shop.absences.map(\.key.rawValue) == ["survey"])
    }

    @Test("only a system in Lua can be extended", arguments: ["'socketio'", "{}", "5", "t:actor(require 'support')"])
    func refused(base: String) throws {
        let message = try ScriptRun.mistake(in: "system { name = 'shop', extends = \(base) }")
        #expect(message?.hasPrefix("system: extends is a chat system in Lua") == true, "\(message ?? "")")
    }

    @Test("a function of its own takes the place of the other's, once")
    func functions() throws {
        let declared = """
            local base = system { name = "base", events = {} }
            function base.commands.go() end
            local shop = system { name = "shop", extends = base, events = {} }
            function shop.commands.go() end
            """
        #expect(try ScriptRun.mistake(in: declared) == nil)
        let again = try ScriptRun.mistake(in: declared + "\nfunction shop.commands.go() end")
        #expect(again?.hasPrefix("shop.commands.go is declared twice") == true, "\(again ?? "")")
    }

    @Test("a handler by which the other one speaks gives up its place only to who has read it")
    func handlers() throws {
        let declared = """
            local base = system { name = "base", events = {} }
            function base.on.timer() end
            local shop = system { name = "shop", extends = base, events = {} }
            function shop.on.text() end

            """
        #expect(
            try ScriptRun.mistake(in: declared + "function shop.on.timer() end")
                == "shop.on.timer would take the place of the handler by which the system that is extended speaks; read "
                + "that first, and call it: local timer = shop.on.timer")
        let wrapped = "local timer = shop.on.timer function shop.on.timer(...) timer(...) end"
        #expect(try ScriptRun.mistake(in: declared + wrapped) == nil)
        let again = try ScriptRun.mistake(in: declared + wrapped + "\nfunction shop.on.timer() end")
        #expect(again?.hasPrefix("shop.on.timer is declared twice") == true, "\(again ?? "")")
    }

    @Test(
        "a timer that the other one has not set is not passed over",
        arguments: ["graphql", "mqtt", "openai", "socketio", "stomp"])
    func timers(base: String) throws {
        let body = """
            local shop = system { name = "shop", extends = require "\(base)" }
            function shop.commands.remind(me) me:after("remind", "1s") end
            t:server(shop)
            t:actor(shop):remind()
            wait "2s"
            """
        let mistake = try ScriptRun.mistake(in: body)
        #expect(mistake?.hasPrefix("nobody takes the timer \"remind\"") == true, "\(mistake ?? "")")
    }

    @Test("a system or a function that no member takes is refused by the member's name")
    func members() throws {
        let declared = "local base = system { name = 'base', events = {} }\n"
        #expect(
            try ScriptRun.mistake(in: declared + "system { name = 'shop', events = {}, extend = base }")
                == "system has no member \"extend\"; did you mean \"extends\"?")
        #expect(
            try ScriptRun.mistake(in: "system { name = 'shop', events = {}, jsno = function() end }")
                == "system has no member \"jsno\"; did you mean \"json\"?")
    }
}
