import BoldChat
import JSON
import LuaRuntime
import Machines
import PlainWebSocket
import Testing

@testable import Scenario

@Suite("References made from the declarations")
struct ReferenceTests {
    private static let systems = [BoldChatSystem.system, PlainWebSocketSystem.system]

    /// Everything that the language declares, with what stands before its name in the page.
    private static var declared: [(String, [MethodDeclaration])] {
        [
            ("", LanguageReference.globals), ("t:", LanguageReference.testContext), ("actor:", LanguageReference.actor),
            ("form:", LanguageReference.form),
        ]
            + LanguageReference.tables.map { ($0.name + ".", $0.functions) }
            + LanguageReference.ownTables.map { ($0.name + ":", $0.methods) }
    }

    @Test("the page names everything that is declared, with its parameters")
    func page() {
        let page = ReferencePage(systems: []).markdown
        for (prefix, methods) in Self.declared {
            for method in methods {
                let list = method.parameters.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ")
                let signature = LuaStubWriter.isValue(method) ? "" : "(\(list))"
                #expect(page.contains("**`\(prefix)\(method.name)\(signature)`**"), "\(prefix)\(method.name)")
                for parameter in method.parameters {
                    #expect(page.contains("`\(parameter.name)\(parameter.isOptional ? "?" : "")` ("))
                }
            }
        }
        for field in LanguageReference.testContextFields {
            #expect(page.contains("`\(field.name)\(field.isOptional ? "?" : "")`"))
        }
    }

    @Test("the page has what the systems in Lua say of themselves, and what stands beside their options")
    func shipped() throws {
        let systems = ShippedSystems.described(for: ScriptRun.settings())
        #expect(systems.map(\.name) == ShippedSystems.names)
        let page = ReferencePage(systems: systems).markdown
        let parts = page.split(separator: "\n## `require \"")
        for name in ShippedSystems.names {
            let part = try #require(parts.first { $0.hasPrefix("\(name)\"`") })
            #expect(part.contains("### How it is used\n\n\(name): "), "\(part.prefix(300))")
            #expect(part.contains("### How it is declared\n\n```lua\nlocal S = system {\n    name = \"\(name)\","))
            #expect(part.split(separator: "```", omittingEmptySubsequences: false).count == 3)
        }
        #expect(page.contains("\n    client:say \"Good morning\" "))
        #expect(page.contains("-- gets name and arguments; returns what acknowledges\n"))
    }

    @Test("the page is a list of lines without breaks inside of them, and every section has a title of its own")
    func pageForm() {
        let lines = ReferencePage(systems: Self.systems).markdown.split(
            separator: "\n", omittingEmptySubsequences: false)
        let titles = lines.filter { $0.hasPrefix("## ") }
        #expect(Set(titles).count == titles.count)
        for system in Self.systems { #expect(titles.contains("## `require \"\(system.name)\"`: \(system.title)")) }
        #expect(lines.allSatisfy { !$0.contains("\r") && !$0.contains("Optional(") })
    }

    @Test("a system's options, methods, events and parties stand in the page and in its stubs")
    func systems() throws {
        let page = ReferencePage(systems: Self.systems).markdown
        let files = LuaStubs(systems: Self.systems).files
        #expect(files.map(\.name) == ["repartee.lua"] + Self.systems.map { $0.name + ".lua" })
        for system in Self.systems {
            let stub = try #require(files.first { $0.name == system.name + ".lua" }).text
            for event in system.events {
                #expect(page.contains("**`\(event.kind.rawValue)`**"))
                #expect(stub.contains("---@class repartee.\(system.name).event.\(event.kind.rawValue)\n"))
                for field in event.fields {
                    #expect(
                        stub.contains("---@field \(LuaTypeText.key(field.name, isOptional: field.name != "form"))"),
                        "\(field.name)")
                }
            }
            for method in system.client.methods {
                #expect(page.contains("**`\(system.client.name):\(method.name)("))
                #expect(
                    stub.contains("function client:\(method.name)(")
                        || stub.contains("client[\"\(method.name)\"] = function("))
            }
            for option in system.client.options + system.server.options { #expect(stub.contains(option.name)) }
            for party in system.parties { #expect(stub.contains("function server:\(party.name)(name) end")) }
        }
    }

    @Test("the page and the stubs say of an event whether a scenario must expect it")
    func noise() throws {
        let page = ReferencePage(systems: Self.systems).markdown
        let stubs = LuaStubs(systems: Self.systems).files.map(\.text).joined()
        let ending = " Need not be expected."
        let system = BoldChatSystem.system
        for (name, note) in [
            ("session_created", ending), ("typing", " Need not be expected where `active` is `false`."),
            ("message", " Need not be expected where `from` is `\"visitor\"`."),
        ] {
            let event = try #require(system.events.first { $0.kind.rawValue == name })
            #expect(page.contains("- **`\(name)`**: \(event.summary)\(note)\n"))
            #expect(stubs.contains("---\(event.summary)\(note)\n---@class repartee.boldchat.event.\(name)\n"))
        }
        let frame = try #require(
            PlainWebSocketSystem.system.parties.first?.events.first { $0.kind.rawValue == "frame" })
        let note = "\(frame.summary) Need not be expected unless the server is `strict`.\n"
        #expect(page.contains("- **`frame`**: \(note)"))
        #expect(stubs.contains("---\(note)---@class repartee.websocket.peer.event.frame\n"))
        let unavailable = try #require(system.events.first { $0.kind.rawValue == "unavailable" })
        #expect(page.contains("- **`unavailable`**: \(unavailable.summary)\n"))
    }

    @Test("stubs are Lua, and define tables of functions without doing anything")
    func stubsLoad() throws {
        let state = LuaState()
        defer { state.close() }
        for file in LuaStubs(systems: Self.systems).files {
            _ = try state.compile(file.text, name: "@" + file.name)
        }
    }

    @Test("a name that is a word of Lua is written so that it can be, and the parameter of that name gets another one")
    func keywords() throws {
        var writer = LuaStubWriter()
        let method = MethodDeclaration(
            "end",
            [
                ParameterDeclaration("repeat", .boolean, "Two\nlines."),
                ParameterDeclaration("body", .function, "Gets `t`."),
            ], "Ends it.\nReally.")
        writer.methods([method], of: "client", context: "x.client")
        #expect(
            writer.text == """
                ---Ends it. Really.
                ---@param repeat_ boolean Two lines.
                ---@param body fun(t: repartee.t, row: any) Gets `t`.
                client["end"] = function(self, repeat_, body) end


                """)
        let state = LuaState()
        defer { state.close() }
        _ = try state.compile("local client = {}\n" + writer.text, name: "@stub")
    }

    @Test("an optional parameter in the middle may be left out, which editors are told by an overload")
    func overloads() {
        var writer = LuaStubWriter()
        writer.function(
            MethodDeclaration(
                "step",
                [
                    ParameterDeclaration("name", .string, "N."),
                    ParameterDeclaration(
                        "options", .record([ParameterDeclaration("timeout", .duration, optional: true, "T.")]),
                        optional: true, "O."),
                    ParameterDeclaration("body", .function, "B."),
                ], returns: .json, "S."), named: "step", context: "repartee")
        let lines = writer.text.split(separator: "\n").map { String($0) }
        #expect(lines.contains("---@overload fun(name: string, body: function): any"))
        #expect(lines.contains("---@class repartee.step.options"))
        #expect(lines.contains("---@field timeout? repartee.duration T."))
        #expect(lines.contains("---@param options? repartee.step.options O."))
        #expect(lines.last == "function step(name, options, body) end")
    }

    @Test(
        "types are written as editors read them",
        arguments: [
            (.string, "string"), (.file, "string"), (.duration, "repartee.duration"), (.json, "any"),
            (.list(.string), "string[]"),
            (.list(.choice(["a", "b"])), "(\"a\"|\"b\")[]"), (.map(.integer), "table<string, integer>"),
            (.choice(["a"]), "\"a\""), (.actor, "repartee.actor"),
            (.nothing, "nil"), (.list(.list(.number)), "number[][]"), (.function, "function"), (.boolean, "boolean"),
            (
                .record([
                    ParameterDeclaration("a", .string, ""), ParameterDeclaration("b-c", .number, optional: true, ""),
                ]),
                "{ a: string, [\"b-c\"]?: number }"
            ),
        ] as [(ScriptType, String)] as [(ScriptType, String)])
    func types(type: ScriptType, text: String) {
        #expect(LuaTypeText.text(type) == text)
    }

    @Test("a record may be named instead of written out")
    func recordNames() {
        #expect(LuaTypeText.text(.record([]), record: "x.options") == "x.options")
        #expect(LuaTypeText.text(.list(.record([])), record: "x.options") == "{  }[]")
        #expect(LuaTypeText.key("a1_", isOptional: false) == "a1_")
        #expect(LuaTypeText.key("1a", isOptional: true) == "[\"1a\"]?")
    }
}
