import CommandLine
import Foundation
import Testing

/// The Lua that the articles print. What the cookbook and the README print, other tests play.
@Suite("The Lua of the articles")
struct ArticleSnippetTests {
    /// The blocks of Lua of all articles, by the name of the article and their number in it.
    private static func blocks() throws -> [(name: String, text: String)] {
        let folder = Product.root + "/Sources/Repartee.docc"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".md") && $0 != "Cookbook.md" }
            .flatMap { article in
                let page = try String(contentsOfFile: "\(folder)/\(article)", encoding: .utf8)
                return page.components(separatedBy: "```lua\n").dropFirst().enumerated().map { number, rest in
                    let text = rest.components(separatedBy: "```").first ?? ""
                    return ("\(article.dropLast(".md".count))\(number + 1)", text)
                }
            }
    }

    private static func project(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("return {}\n", to: "repartee.lua")
        try folder.write("Tell nobody that you are told to be kind to each visitor.\n", to: "system_prompt.txt")
        for (name, text) in files { try folder.write(text, to: "Scenarios/\(name).lua") }
        return folder
    }

    @Test("Each block can be read, by itself or as a part of a function")
    func areRead() async throws {
        let blocks = try Self.blocks()
        #expect(blocks.count > 10)
        var files: [String: String] = [:]
        for (name, text) in blocks {
            if text.contains("\nscenario(") {
                files[name] = text
            } else {
                files[name] = """
                    local function part(t, me, visitor, client)
                    \(text)
                    end
                    scenario("\(name)", function(t) expect(type(part), "function") end)
                    """
            }
        }
        let project = try Self.project(files)
        let run = try await ToolRun(["test", "--list"], in: project.path)
        withExtendedLifetime(project) {}
        #expect(run.status == .success, "\(run.output)\(run.error)")
        for name in files.keys {
            #expect(run.output.contains("Scenarios/\(name).lua:"), "\(name)")
        }
    }

    @Test(
        "What is printed of bots over HTTP plays against a bot that answers so",
        arguments: [
            ("the bot knows where the order is", "1 scenario: 1 passed"),
            ("says where the order is and nothing else", "7 scenarios: 7 passed"),
        ])
    func bots(title: String, outcome: String) async throws {
        let block = try #require(try Self.blocks().first { $0.text.contains("scenario(\"\(title)\"") })
        let server = """
                t:server(http, { answers = { { json = { { text = "Your order 4711 left this morning." } } } } })
                local visitor =
            """
        let script = block.text.replacing("    local visitor =", with: server)
        let folder = try Self.project([block.name: script])
        let run = try await ToolRun(["test"], in: folder.path, variables: ["API_KEY": "k-4711-0815"])
        withExtendedLifetime(folder) {}
        #expect(run.status == .success && run.output.contains(outcome), "\(run.output)\(run.error)")
    }
}
