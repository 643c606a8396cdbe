import CommandLine
import Foundation
import Testing

/// The recipes of the article "Cookbook", played as they are printed.
@Suite("The cookbook")
struct CookbookTests {
    /// The recipes by the number that stands in their heading.
    private static func recipes() throws -> [Int: String] {
        let page = try String(contentsOfFile: Product.root + "/Sources/Repartee.docc/Cookbook.md", encoding: .utf8)
        var recipes: [Int: String] = [:]
        for part in page.split(separator: "\n### ").dropFirst() {
            let number = try #require(Int(part.prefix { $0.isNumber }), "no number: \(part.prefix(40))")
            let blocks = part.split(separator: "```")
            #expect(blocks.count >= 2 && recipes[number] == nil, "recipe \(number)")
            recipes[number] = blocks.dropFirst().first.map { String($0.drop { $0 != "\n" }.dropFirst()) }
        }
        return recipes
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (number, text) in try Self.recipes() { try folder.write(text, to: "Scenarios/recipe\(number).lua") }
        return folder
    }

    @Test("It has twenty-five recipes, and each passes as it is printed")
    func recipes() async throws {
        #expect(try Set(Self.recipes().keys) == Set(1...25))
        let folder = try Self.folder()
        let run = try await ToolRun(["test", "--forbid-empty"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        // One of them has two rows.
        #expect(run.output.contains("26 scenarios: 26 passed"), "\(run.output)")
    }

    @Test("The one for load is a load test that holds")
    func load() async throws {
        let folder = try Self.folder()
        let run = try await ToolRun(
            ["load", "Scenarios/recipe25.lua", "--clock", "virtual", "--seed", "1"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}
