import CommandLine
import Foundation
import JSON
import Processes
import Testing

/// What an editor shows somebody who writes scenarios, asked of a language server.
@Suite(
    "The annotations in an editor", .waitsForProcesses, .serialized,
    .enabled(if: LanguageServer.problem == nil, "there is no language server: \(LanguageServer.problem ?? "")"))
struct EditorTests {
    /// A scenario with a mistake in every line that ends in a comment, which says what is to be underlined.
    private static let mistaken = """
        local boldchat = require "boldchat"

        scenario("typed", function(t)
            local desk = t:server(boldchat, { queue = "one" }) -- server_options
            local visitor = t:actor(boldchat)
            visitor:creat_chat() -- creat_chat
            local message = visitor:expect("message", { text = match.contains "morning" })
            print(message.text, message.txt) -- txt
            print(visitor.chat_stat) -- chat_stat
            local sam = desk:agent "Sam"
            sam:acept(visitor) -- acept
            sam:say(1) -- string
            visitor:expect "mesage" -- mesage
            visitor:expect("pre_chat").form:fil {} -- fil
            visitor:expect(any { "queue", event("message", { text = "x" }) })
            local own = t:actor(require "pigeons")
            own:release(desk.url, "north")
            own:realese() -- realese
        end)

        """

    private static func project(_ files: [String: String]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let made = try await ToolRun(["init"], in: folder.path)
        #expect(made.status == .success, "\(made.error)")
        return folder
    }

    @Test("Misspelt methods, properties, fields and events are underlined, and nothing else")
    func mistakes() async throws {
        let pigeons = """
            local S = system { name = "pigeons", events = { message = { text = "string" } } }
            function S.commands.release(me, url, direction) me.released = url .. direction end
            return S

            """
        let folder = try await Self.project([
            "Scenarios/typed.lua": Self.mistaken, "Scenarios/pigeons.lua": pigeons,
        ])
        let answer = try LanguageServer.ask(about: "Scenarios/typed.lua", in: folder.path)
        let lines = Self.mistaken.split(separator: "\n", omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            let told = answer.diagnostics.filter { $0.line == place + 1 }.map(\.message)
            if let expected = line.split(separator: " -- ").dropFirst().last {
                #expect(told.contains { $0.contains(expected) }, "line \(place + 1), \(expected): \(told)")
            } else {
                #expect(told.isEmpty, "line \(place + 1): \(told)")
            }
        }
    }

    @Test("An actor is of its system, with methods and properties; what it expects has the fields of the event")
    func types() async throws {
        let folder = try await Self.project(["Scenarios/typed.lua": Self.mistaken])
        let visitor = "5:11"
        let member = "6:17"
        let message = "7:11"
        let agent = "11:9"
        let answer = try LanguageServer.ask(
            about: "Scenarios/typed.lua", in: folder.path, at: [visitor, member, message, agent])
        #expect(answer.hovers[visitor]?.contains("repartee.boldchat.client") == true, "\(answer.hovers)")
        #expect(answer.hovers[message]?.contains("repartee.boldchat.event.message") == true)
        #expect(answer.hovers[message]?.contains("text: string") == true)
        #expect(answer.completions[member]?.contains("create_chat") == true)
        #expect(answer.completions[agent]?.contains("accept") == true)
        #expect(answer.completions[agent]?.contains("create_chat") == false)
    }

    @Test("A new project and the tutorial have nothing underlined")
    func clean() async throws {
        let conversations = try String(
            contentsOfFile: Product.root + "/Scenarios/own/conversations.lua", encoding: .utf8)
        let folder = try await Self.project(["Scenarios/own.lua": conversations])
        for file in ["Scenarios/first.lua", "Scenarios/own.lua"] {
            let answer = try LanguageServer.ask(about: file, in: folder.path)
            #expect(answer.diagnostics.isEmpty, "\(file): \(answer.diagnostics)")
        }
    }
}
