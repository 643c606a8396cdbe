import CommandLine
import Foundation
import JSON
import Testing

/// The table of the article "Commands", held against what the commands declare.
@Suite("The table of commands")
struct CommandsArticleTests {
    /// The rows by the name of the command, each with the options that stand in it by themselves.
    ///
    /// What follows a name, as in `--filter NAME`, is no part of it; an option of another command stands behind that
    /// command's name, as in `repartee test --target`.
    private static func rows() throws -> [String: Set<String>] {
        let page = try String(contentsOfFile: Product.root + "/Sources/Repartee.docc/Commands.md", encoding: .utf8)
        var rows: [String: Set<String>] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `repartee ") {
            let spans = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
            let name = try #require(spans.first?.split(separator: " ").dropFirst().first)
            let options = spans.dropFirst().filter { $0.hasPrefix("--") }.compactMap { $0.split(separator: " ").first }
            rows[String(name)] = Set(options.map(String.init))
        }
        return rows
    }

    /// The options of each command that `--help` shows, each with the names that it has; of two flags of which one
    /// takes the other back, either will do.
    private static func declared() async throws -> [String: [Set<String>]] {
        let run = try await ToolRun(["--experimental-dump-help"], in: Product.root)
        let commands = try #require(try JSONReader.read(run.output)["command"]?["subcommands"]?.array)
        var result: [String: [Set<String>]] = [:]
        for command in commands {
            let name = try #require(command["commandName"]?.string)
            guard name != "help" else { continue }
            let shown = (command["arguments"]?.array ?? []).filter { $0["shouldDisplay"] == true }
            let options = shown.map { argument in
                let long = (argument["names"]?.array ?? []).filter { $0["kind"]?.string == "long" }
                return Set(long.compactMap { $0["name"]?.string })
            }
            // Places have no names, and every command has these.
            .filter { !$0.isEmpty && $0.isDisjoint(with: ["help", "version"]) }
            result[name] = options.map { names in
                let opposites = options.filter { other in
                    other.contains { names.contains("no-" + $0) } || names.contains { other.contains("no-" + $0) }
                }
                return Set(opposites.reduce(names) { $0.union($1) }.map { "--" + $0 })
            }
        }
        return result
    }

    @Test("It has every command with every option that --help shows, and no others")
    func sameOptions() async throws {
        let (rows, commands) = (try Self.rows(), try await Self.declared())
        #expect(Set(rows.keys) == Set(commands.keys))
        for (command, options) in commands {
            let row = rows[command] ?? []
            for names in options {
                #expect(!row.isDisjoint(with: names), "\(command): \(names.sorted()) is not in the table")
            }
            let unknown = row.subtracting(options.reduce(into: []) { $0.formUnion($1) })
            #expect(unknown.isEmpty, "\(command) has no \(unknown.sorted())")
        }
    }
}
