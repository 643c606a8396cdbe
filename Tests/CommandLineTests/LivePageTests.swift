import CommandLine
import Foundation
import JSON
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "The page of repartee test --ui", .waitsForProcesses, .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct LivePageTests {
    /// A running `repartee test --ui`.
    private final class Session {
        let url: String
        let process: ToolProcess
        private let folder: TemporaryFolder

        init(_ arguments: [String] = [], in folder: TemporaryFolder) throws {
            self.folder = folder
            self.process = try ToolProcess(
                ["test", "--ui", "--reports", folder.path + "/r"] + arguments, in: folder.path)
            let line = try #require(self.process.line(containing: "page http"))
            self.url = String(line.dropFirst("page ".count))
        }

        deinit { self.process.send(SIGKILL) }

        /// The URL without its token.
        var root: String { self.url.split(separator: "/").prefix(2).joined(separator: "//") }

        func ask(
            _ path: String, _ body: String? = nil, at base: String? = nil, headers: [String: String] = [:]
        ) async throws -> (status: Int, body: JSONValue, text: String) {
            var request = try URLRequest(to: (base ?? self.url) + path)
            request.httpMethod = body == nil ? "GET" : "POST"
            request.httpBody = body.map { Data($0.utf8) }
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = try #require(response as? HTTPURLResponse).statusCode
            return (status, (try? JSONReader.read(Array(data))) ?? .null, String(decoding: data, as: UTF8.self))
        }

        /// Waits until a scenario plays: a run that is stopped before has nothing to tell of.
        func begins() async throws {
            while true {
                let news = try await self.ask("changes?after=0").body
                if news["playing"] == true, news["attempts"]?.array?.isEmpty == false { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// What the page is told when nothing plays any more, after at least so many attempts.
        func rest(attempts: Int) async throws -> JSONValue {
            var version: Int64 = 0
            var told: [Int64: JSONValue] = [:]
            while true {
                let news = try await self.ask("changes?after=\(version)").body
                version = try #require(news["version"]?.integer)
                if news["all"] == true { told = [:] }
                for one in news["attempts"]?.array ?? [] {
                    guard let number = one.array?.first?.integer else { continue }
                    told[number] = one.array?[2]
                }
                guard news["playing"] == false, told.count >= attempts else { continue }
                return .object(["news": news, "attempts": .array(told.sorted { $0.key < $1.key }.map(\.value))])
            }
        }
    }

    /// Two scenarios, and what a test adds.
    private static func project(_ body: String = "") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("greets", function(t) log.info("hello") expect(1, 1) end)
            scenario("breaks", function(t) expect("found", "wanted") end)
            \(body)
            """, to: "Scenarios/a.lua")
        return folder
    }

    @Test("serves nothing without its token, by another name, or to another page", .timeLimit(.minutes(10)))
    func refuses() async throws {
        let session = try Session(in: try Self.project())
        let page = try await session.ask("")
        #expect(
            page.status == 200 && page.text.hasPrefix("<!DOCTYPE html>") && page.text.contains("connect-src 'self'"))
        for path in ["/", "/changes", "/0123456789abcdef/", "/0123456789abcdef/changes?after=0"] {
            let answer = try await session.ask(path, at: session.root)
            #expect(answer.status == 403 && !answer.text.contains("greets") && !answer.text.contains("DOCTYPE"))
        }
        let stranger = try await session.ask("", headers: ["Origin": "http://evil.example"])
        #expect(stranger.status == 403)
        let posted = try await session.ask("play", "{}", headers: ["Origin": "http://evil.example"])
        #expect(posted.status == 403)
        // URLSession sets Host itself, so these bytes are written by hand.
        let token = session.url.split(separator: "/").last ?? ""
        for host in ["evil.example", "127.0.0.1", "127.0.0.1:1"] {
            let answer = try RawRequest.send(
                "GET /\(token)/ HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", to: session.root)
            #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(host)")
        }
        let own = try RawRequest.send(
            "GET /\(token)/ HTTP/1.1\r\nHost: \(session.root.dropFirst("http://".count))\r\nConnection: close\r\n\r\n",
            to: session.root)
        #expect(own.hasPrefix("HTTP/1.1 200 "))
        #expect(try await session.ask("nothing").status == 404)
        #expect(try await session.ask("play", "[]").status == 400)
        #expect(try await session.ask("pause", "{}").status == 404)
    }

    @Test("bounds what windows that do not read may keep in memory", .timeLimit(.minutes(10)))
    func boundsMemory() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"scenario("long", function() local text = ("x"):rep(1 << 20) for _ = 1, 17 do log.info(text) end end)"#,
            to: "Scenarios/a.lua")
        let session = try Session(in: folder)
        _ = try await session.rest(attempts: 1)
        let long = try await session.ask("conversations/0")
        #expect(
            long.status == 413 && long.text.contains("at most 16; the reports have it all"), "\(long.text.prefix(200))")

        let open = try (0..<16).map { _ in try RawRequest.connect(to: session.root) }
        defer { for descriptor in open { close(descriptor) } }
        let answer = try RawRequest.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", to: session.root)
        #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
    }

    @Test("holds a script before whatever it does next, and lets it go on by one", .timeLimit(.minutes(10)))
    func steps() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("waits", function(t)
                log.info("one") wait(60)
                log.info("two") wait(60)
                log.info("three") expect(1, 1)
            end)
            """, to: "Scenarios/a.lua")
        let session = try Session(["--step"], in: folder)
        /// What has been said when so much has, which may take a moment.
        func said(_ word: String) async throws -> String {
            while true {
                let text = try await session.ask("conversations/0").text
                if text.contains("\"\(word)\"") { return text }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        while try await session.ask("changes?after=0").body["attempts"]?.array?.isEmpty != false {}
        for _ in 0..<3 { #expect(try await !session.ask("conversations/0").text.contains("\"one\"")) }
        #expect(try await session.ask("step", "{}").status == 200)
        #expect(try await !said("one").contains("\"two\""))
        // It does not go on by itself.
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await !said("one").contains("\"two\""))
        #expect(try await session.ask("step", "{}").status == 200)
        #expect(try await !said("two").contains("\"three\""))
        let news = try await session.ask("changes?after=0").body
        #expect(news["held"] == true && news["steps"] == true && news["playing"] == true)
        #expect(try await session.ask("hold", "{}").status == 400)
        #expect(try await session.ask("hold", "{\"on\":false}").status == 200)
        let rest = try await session.rest(attempts: 1)
        #expect(rest["attempts"]?.array?.first?["outcome"] == "passed")
        #expect(try await session.ask("step", "{}").status == 409)
        #expect(try await session.ask("hold", "{\"on\":true}").status == 200)
        #expect(try await session.ask("play", "{}").status == 200)
        try await session.begins()
        #expect(try await session.ask("stop", "{}").status == 200)
        #expect(try await session.rest(attempts: 1)["news"]?["held"] == false)
    }

    @Test("holds nothing without a page, and not several at once")
    func stepsAlone() async throws {
        let folder = try Self.project()
        for arguments in [["--step"], ["--step", "--ui", "--workers", "2"]] {
            let run = try await ToolRun(["test"] + arguments, in: folder.path)
            #expect(run.ended(.usage) && run.error.contains("--step goes with --ui and one worker"), "\(run.error)")
        }
    }

    @Test("lets so many windows wait for news, and takes so much from one", .timeLimit(.minutes(10)))
    func bounds() async throws {
        let session = try Session(in: try Self.project())
        let version = try #require(try await session.rest(attempts: 2)["news"]?["version"]?.integer)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 14
        configuration.timeoutIntervalForRequest = 30
        let windows = URLSession(configuration: configuration)
        let news = try #require(URL(string: session.url + "changes?after=\(version)"))
        // Nothing changes any more: those that are answered make room for the others.
        try await withThrowingTaskGroup { group in
            for _ in 0..<12 { group.addTask { try await windows.data(from: news).0 } }
            for _ in 0..<4 {
                let answer = try #require(try await group.next())
                #expect(try JSONReader.read(Array(answer))["version"]?.integer == version)
            }
            group.cancelAll()
        }
        #expect(try await session.ask("play", String(repeating: " ", count: 1 << 20)).status == 400)
        #expect(try await session.ask("play", String(repeating: " ", count: 1 << 20 + 1)).status == 413)
    }

    @Test("tells what was played, with its conversation and its script", .timeLimit(.minutes(10)))
    func tells() async throws {
        let session = try Session(in: try Self.project())
        let told = try await session.rest(attempts: 2)
        let attempts = try #require(told["attempts"]?.array)
        #expect(attempts.map { $0["outcome"] } == ["passed", "failed"])
        #expect(attempts.map { $0["title"]?.array?.first } == ["greets", "breaks"])
        #expect(told["news"]?["end"]?["failed"] == 1)
        let conversation = try await session.ask("conversations/0")
        #expect(conversation.text.contains("hello"))
        #expect(try await session.ask("sources/0").body.string?.contains("scenario(\"breaks\"") == true)
        #expect(try await session.ask("conversations/99").status == 404)
    }

    @Test("plays again what is chosen, and all; only what is played again changes", .timeLimit(.minutes(10)))
    func playsAgain() async throws {
        let folder = try Self.project()
        let session = try Session(in: folder)
        _ = try await session.rest(attempts: 2)
        try folder.write(
            """
            scenario("greets", function(t) expect(1, 1) end)
            scenario("breaks", function(t) log.info("mended") expect(1, 1) end)
            """, to: "Scenarios/a.lua")
        #expect(try await session.ask("play", #"{"attempts":[77]}"#).status == 404)
        #expect(try await session.ask("play", #"{"attempts":[1]}"#).status == 200)
        // The scenario that was played again comes beside the other one's earlier attempt and its own.
        let told = try await session.rest(attempts: 3)
        #expect(told["attempts"]?.array?.map { $0["outcome"] } == ["passed", "failed", "passed"])
        #expect(try await session.ask("conversations/2").text.contains("mended"))
        #expect(session.process.line(containing: "1 scenario: 1 passed") != nil)
        #expect(try await session.ask("play", "{}").status == 200)
        #expect(session.process.line(containing: "2 scenarios: 2 passed") != nil)
    }

    @Test(
        "stops what is playing and stays, until a signal ends it with the status of the last run",
        .timeLimit(.minutes(10)))
    func stops() async throws {
        let folder = try Self.project(#"scenario("long", function(t) think("60s") end)"#)
        let session = try Session(["--clock", "real", "--workers", "1", "--filter", "long"], in: folder)
        try await session.begins()
        #expect(try await session.ask("stop", "{}").status == 200)
        let told = try await session.rest(attempts: 1)
        #expect(told["attempts"]?.array?.first?["outcome"] == "error")
        #expect(told["news"]?["end"]?["interrupted"] == true)
        #expect(try await session.ask("stop", "{}").status == 409)
        session.process.send(SIGINT)
        #expect(session.process.end().code == ToolStatus.interrupted.rawValue)
    }

    @Test("watches files when asked, and says what cannot be loaded", .timeLimit(.minutes(10)))
    func watches() async throws {
        let folder = try Self.project()
        let session = try Session(in: folder)
        _ = try await session.rest(attempts: 2)
        #expect(try await session.ask("watch", #"{"on":1}"#).status == 400)
        #expect(try await session.ask("watch", #"{"on":true}"#).status == 200)
        try folder.write("scenario(\"another one\", function() expect(1, 1) end)", to: "Scenarios/b.lua")
        #expect(session.process.line(containing: "changed: Scenarios/b.lua") != nil)
        let told = try await session.rest(attempts: 3)
        #expect(told["attempts"]?.array?.last?["title"]?.array?.first == "another one")
        try folder.write("return 1 +", to: "repartee.lua")
        #expect(try await session.ask("play", "{}").status == 200)
        var problem: String?
        while problem == nil { problem = try await session.ask("changes?after=0").body["problem"]?.string }
        #expect(problem?.contains("repartee.lua") == true)
    }

    @Test(
        "is not for lists and faults", .timeLimit(.minutes(10)),
        arguments: [["--list"], ["--faults", "cut"], ["--tap", "-"]])
    func misuse(_ options: [String]) async throws {
        let folder = try Self.project()
        #expect(try await ToolRun(["test", "--ui"] + options, in: folder.path).status == .usage)
    }
}
