import CommandLine
import Foundation
import JSON
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "The page of repartee load --ui", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct LoadUITests {
    /// A running `repartee load --ui`.
    private final class Session {
        let url: String
        let process: ToolProcess
        private let folder: TemporaryFolder

        init(_ arguments: [String], in folder: TemporaryFolder) throws {
            self.folder = folder
            self.process = try ToolProcess(
                ["load", "a.lua", "--ui", "--reports", folder.path + "/r"] + arguments, in: folder.path)
            let line = try #require(self.process.line(containing: "http"))
            self.url = String(try #require(line.split(separator: " ").last))
        }

        deinit { self.process.send(SIGKILL) }

        func ask(_ path: String, _ body: String? = nil, origin: String? = nil) async throws -> (Int, String) {
            var request = try URLRequest(to: self.url + path)
            request.httpMethod = body == nil ? "GET" : "POST"
            request.httpBody = body.map { Data($0.utf8) }
            if let origin { request.setValue(origin, forHTTPHeaderField: "Origin") }
            let (data, response) = try await URLSession.shared.data(for: request)
            return (try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
        }

        /// What the page is told once that holds.
        func news(where holds: (JSONValue) -> Bool) async throws -> JSONValue {
            var version: Int64 = -1
            while true {
                let news = try JSONReader.read(Array(try await self.ask("changes?after=\(version)").1.utf8))
                if holds(news) { return news }
                version = try #require(news["version"]?.integer)
            }
        }
    }

    private static func project() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("waits and breaks", function(t)
                wait("20ms")
                expect("found", "wanted")
            end)
            """, to: "a.lua")
        return folder
    }

    @Test(
        "shows charts and causes while users play, stops the run, and stays open until a signal",
        .timeLimit(.minutes(10)))
    func stops() async throws {
        let folder = try Self.project()
        let session = try Session(["--users", "2", "--duration", "10m"], in: folder)
        let (status, document) = try await session.ask("")
        #expect(status == 200 && document.contains("connect-src 'self'"))
        let news = try await session.news { $0["page"]?["body"]?.string?.contains("wanted") == true }
        #expect(news["playing"] == true)
        #expect(news["page"]?["body"]?.string?.contains("<svg") == true)
        #expect(news["page"]?["body"]?.string?.contains("the run goes on: ") == true)
        #expect(news["page"]?["title"]?.string?.contains("did not end") == false)
        #expect(try await session.ask("stop", "{}", origin: "http://evil.example").0 == 403)
        #expect(try await session.ask("stop", "{}").0 == 200)
        let last = try await session.news { $0["playing"] == false }
        #expect(last["page"]?["body"]?.string?.contains("wanted") == true)
        #expect(last["page"]?["body"]?.string?.contains("the run goes on") == false)
        #expect(session.process.line(containing: "the page stays open") != nil)
        #expect(try await session.ask("stop", "{}").0 == 409)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/r/load.html"))
        session.process.send(SIGINT)
        #expect(session.process.end().code == ToolStatus.interrupted.rawValue)
    }

    @Test(
        "is for the whole of one run in real time", .timeLimit(.minutes(10)),
        arguments: [
            ["--clock", "virtual", "--users", "1", "--duration", "1s"], ["--plan", "--users", "1", "--duration", "1s"],
            ["--shard", "1/2", "--users", "2", "--duration", "1s"],
        ])
    func misuse(_ options: [String]) async throws {
        let folder = try Self.project()
        #expect(try await ToolRun(["load", "a.lua", "--ui"] + options, in: folder.path).status == .usage)
    }
}
