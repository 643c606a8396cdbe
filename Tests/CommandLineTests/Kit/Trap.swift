import CommandLine
import RunRecord
import Testing

/// A scenario that a test tool must not let pass, and what it ends with.
struct Trap: CustomTestStringConvertible, Sendable {
    let body: String
    let category: Problem.Category
    let message: String

    init(_ body: String, _ category: Problem.Category, _ message: String) {
        self.body = body
        self.category = category
        self.message = message
    }

    var testDescription: String { self.body }

    private static let beginning = """
        local websocket, http = require "websocket", require "http"
        local EXPECTED_TEXT = "Hello"
        local function connected(t)
            local server = t:server(websocket)
            local client = t:actor(websocket)
            local peer = server:peer "peer"
            client:connect()
            client:expect "connected"
            return client, peer
        end

        """

    /// Plays one scenario and returns how it ended.
    static func end(of body: String, _ arguments: [String] = []) async throws -> ScenarioEnd {
        let folder = try TemporaryFolder()
        try folder.write(Self.beginning + "scenario(\"it\", function(t)\n\(body)\nend)\n", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"] + arguments, in: folder.path)
        let ends = try run.record.compactMap { entry in
            if case .scenarioEnded(let end) = entry { end } else { nil }
        }
        return try #require(ends.first)
    }

    /// Plays the scenario and expects that it ends as it must.
    func expect(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = try await Self.end(of: self.body)
        let problem = try #require(end.problems.first, "it passed", sourceLocation: sourceLocation)
        #expect(problem.category == self.category, sourceLocation: sourceLocation)
        #expect(problem.message.contains(self.message), "\(problem.message)", sourceLocation: sourceLocation)
        #expect(end.problems.count == 1, "\(end.problems)", sourceLocation: sourceLocation)
    }
}
