import CommandLine
import Foundation
import Testing

/// The chat systems that are written in Lua and come with the program.
@Suite("Systems in Lua that come with the program")
struct ShippedSystemTests {
    @Test(
        "Their scenarios pass whatever the seed, those with servers that send noise as well",
        arguments: ["graphql", "mqtt", "openai", "own", "socketio", "stomp"], [1, 2, 3])
    func scenarios(folder: String, seed: Int) async throws {
        let run = try await ToolRun(
            ["test", "Scenarios/\(folder)", "--seed", "\(seed)", "--forbid-empty"], in: Product.root)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        // What a server sends never ends in an error of the module itself.
        #expect(!run.output.contains("at repartee/"))
    }

    @Test("Every one of them has a folder of scenarios, and says at its head how it is used")
    func documented() throws {
        let systems = Product.root + "/Sources/EmbeddedFiles/Systems"
        let files = try FileManager.default.contentsOfDirectory(atPath: systems).filter { $0.hasSuffix(".lua") }
            .sorted()
        #expect(
            files == ["graphql.lua", "mqtt.lua", "openai.lua", "socketio.lua", "stomp.lua", "support.lua"])
        for file in files {
            let name = file.dropLast(".lua".count)
            let text = try String(contentsOfFile: "\(systems)/\(file)", encoding: .utf8)
            #expect(text.hasPrefix("-- \(name): "))
            #expect(text.contains("system {\n    name = \"\(name)\""))
            let folder = name == "support" ? "own" : "\(name)"
            #expect(FileManager.default.fileExists(atPath: "\(Product.root)/Scenarios/\(folder)/conversations.lua"))
        }
    }

    @Test("A file of the same name in a project takes its place, and a misspelt one is told")
    func found() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { answer = 42 }\n", to: "Scenarios/mqtt.lua")
        try folder.write(
            """
            scenario("finds", function()
                expect(require("mqtt").answer, 42)
                expect(require("stomp").name, "stomp")
                local done, message = pcall(require, "socketoi")
                expect(tostring(message), match.contains "did you mean \\"socketio\\"?")
            end)
            """, to: "Scenarios/a.lua")
        let run = try await ToolRun(["test", "Scenarios/a.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}
