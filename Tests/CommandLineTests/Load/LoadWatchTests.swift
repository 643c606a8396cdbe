import Foundation
import JSON
import Testing

@testable import CommandLine

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "Watching a load run while it goes", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct LoadWatchTests {
    private static let script = """
        local boldchat = require "boldchat"
        workload { executor = "constant_vus", users = 3, duration = "1m",
            thresholds = { "p99(iteration) < 1h", "count(lost) == 0" } }
        scenario("a visitor is helped", function(t)
            local sam = t:server(boldchat):agent "Sam"
            local visitor = t:actor(boldchat)
            visitor:create_chat { skip_pre_chat = true }
            sam:expect "chat_waiting"
            sam:accept(visitor)
            visitor:expect "accepted"
            visitor:say "hello"
            sam:expect("message", { text = "hello" })
            metric.count("helped", 1, { ["od\\"d tag"] = "a\\nb\\\\" })
            metric.time("patience", "2s")
            metric.rate("happy", true)
            metric.gauge("mood", 3)
            metric.count "deliveries"
            metric.count "happy_cases"
            wait "50ms"
            visitor:end_session()
        end)
        """

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "load.lua")
        return folder
    }

    private func scraped(_ url: String, method: String = "GET") async throws -> (text: String, answer: HTTPURLResponse)
    {
        var request = try URLRequest(to: url)
        request.httpMethod = method
        let (data, answer) = try await URLSession(configuration: .ephemeral).data(for: request)
        return (String(decoding: data, as: UTF8.self), try #require(answer as? HTTPURLResponse))
    }

    @Test("Figures can be scraped while users play, in a text that promtool finds nothing wrong with")
    func prometheus() async throws {
        let folder = try self.folder()
        let tool = try ToolProcess(
            ["load", "load.lua", "--users", "3", "--duration", "1h", "--prometheus", "0"], in: folder.path)
        let url = try #require(tool.line(containing: "metrics ")?.split(separator: " ").last.map(String.init))
        #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/metrics"))
        #expect(try await self.scraped(url).text.contains("repartee_deliveries_expected_total 0"))
        _ = tool.line(containing: "3s  ")
        let (text, answer) = try await self.scraped(url + "?x=1")
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(text.contains(#/\nrepartee_iteration_seconds\{quantile="0.99"\} 0\.\d+\n/#), "\(text)")
        #expect(text.contains(#/\nrepartee_users 3\n/#))
        #expect(try await self.scraped(url.replacing("/metrics", with: "/")).answer.statusCode == 404)
        #expect(try await self.scraped(url, method: "POST").answer.statusCode == 405)
        #expect(try await self.scraped(url, method: "HEAD").text == "")
        tool.send(SIGINT)
        #expect(tool.end().code == 130)
    }

    @Test(
        "The checker of Prometheus has nothing against the text of the port",
        .enabled(if: PromTool.isThere, "there is no promtool; Debian has it in the package prometheus"))
    func promtool() async throws {
        let folder = try self.folder()
        let tool = try ToolProcess(
            ["load", "load.lua", "--users", "3", "--duration", "1h", "--prometheus", "0"], in: folder.path)
        let url = try #require(tool.line(containing: "metrics ")?.split(separator: " ").last.map(String.init))
        _ = tool.line(containing: "3s  ")
        let text = try await self.scraped(url).text
        tool.send(SIGINT)
        #expect(tool.end().code == 130)
        #expect(text.contains("repartee_iteration_seconds"))
        try folder.write(text, to: "metrics.prom")
        #expect(try PromTool.problems(folder.path + "/metrics.prom") == "")
        try folder.write("repartee_x 1\n# TYPE repartee_y counter\nrepartee_y 1\n", to: "bad.prom")
        #expect(try PromTool.problems(folder.path + "/bad.prom").contains("counter metrics should have"))
    }

    @Test("A port that is taken is said before any user begins")
    func busy() async throws {
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let folder = try self.folder()
        let run = try await ToolRun(["load", "load.lua", "--prometheus", "\(server.port)"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.contains("error: --prometheus: "), "\(run.error)")
        #expect(run.error.contains("\(server.port)"))
        #expect(!folder.has("Reports"))
    }

    @Test("Figures are pushed to a collector at an interval and at the end, with the headers that were given")
    func otlp() async throws {
        let server = try RawServer(.collects(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)))
        defer { server.close() }
        let folder = try self.folder()
        let run = try await ToolRun(
            [
                "load", "load.lua", "--users", "2", "--duration", "3s", "--otlp-header", "api-key=from=option",
                "--otlp", "http://127.0.0.1:\(server.port)", "--otlp-interval", "1s",
            ], in: folder.path,
            variables: ["OTEL_EXPORTER_OTLP_HEADERS": "x-scope=a%20b, api-key=lost", "TZ": "UTC"])
        #expect(run.error == "")
        let requests = server.requests
        #expect(requests.count >= 3)
        for request in requests {
            #expect(request.hasPrefix("POST /v1/metrics HTTP/1.1\r\n"))
            let head = request.prefix(upTo: try #require(request.firstRange(of: "\r\n\r\n")).lowerBound).lowercased()
            #expect(head.contains("content-type: application/json"))
            #expect(head.contains("api-key: from=option") && !head.contains("lost"))
            #expect(head.contains("x-scope: a b"))
        }
        // The collector reads each connection by itself: what the end of the run has given up may be read behind the
        // end.
        let points = try requests.map { request in
            let body = request.suffix(from: try #require(request.firstRange(of: "\r\n\r\n")).upperBound)
            let resource = try JSONReader.read(String(body), depth: 50)["resourceMetrics"]?.array?.first
            let metrics = try #require(resource?["scopeMetrics"]?.array?.first?["metrics"]?.array)
            return metrics.first { $0["name"]?.string == "repartee.iterations" }?["sum"]?["dataPoints"]?.array?.first
        }
        let result = try LoadRunResult(folder)
        #expect(points.compactMap { $0?["asInt"]?.string.flatMap { Int64($0) } }.max() == result.count("iterations"))
        let start = try #require(points.last??["startTimeUnixNano"]?.string)
        #expect(abs(try #require(Int64(start)) / 1_000_000_000 - Int64(Date().timeIntervalSince1970)) < 600)
    }

    @Test("The address of a collector can come from the environment, as OpenTelemetry's programs take it")
    func environment() async throws {
        let server = try RawServer(.collects(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)))
        defer { server.close() }
        let folder = try self.folder()
        let arguments = ["load", "load.lua", "--users", "1", "--iterations", "1", "--otlp", "env"]
        let origin = "http://127.0.0.1:\(server.port)"
        for variables in [
            ["OTEL_EXPORTER_OTLP_ENDPOINT": origin + "/base/"],
            [
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": origin + "/own",
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
            ],
        ] {
            let run = try await ToolRun(arguments, in: folder.path, variables: variables)
            #expect(run.error == "")
        }
        #expect(server.requests.first?.hasPrefix("POST /base/v1/metrics ") == true)
        #expect(server.requests.last?.hasPrefix("POST /own ") == true)
        let none = try await ToolRun(arguments, in: folder.path)
        #expect(none.status == .usage)
        #expect(none.error.contains("OTEL_EXPORTER_OTLP_ENDPOINT"))
        let wrong = try await ToolRun(
            arguments, in: folder.path,
            variables: ["OTEL_EXPORTER_OTLP_ENDPOINT": origin, "OTEL_EXPORTER_OTLP_HEADERS": "nothing"])
        #expect(wrong.status == .usage)
        #expect(wrong.error.contains("write name=value"))
    }

    @Test(
        "A collector that is not there, or does not want the figures, is said once and fails nothing",
        arguments: [
            (nil, "nothing listens on"), ("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", "it answers 503"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n"
                    + #"{"partialSuccess":{"rejectedDataPoints":"7","errorMessage":"too old"}}"#,
                "it refuses 7 points: too old"
            ),
        ] as [(String?, String)])
    func unwilling(answer: String?, reason: String) async throws {
        let server = try answer.map { try RawServer(.collects(Array($0.utf8))) }
        defer { server?.close() }
        let folder = try self.folder()
        let run = try await ToolRun(
            [
                "load", "load.lua", "--users", "1", "--duration", "3s", "--otlp-interval", "1s",
                "--otlp", "http://127.0.0.1:\(server?.port ?? 9)",
            ], in: folder.path)
        #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
        #expect(run.error.hasPrefix("warning: the collector at http://127.0.0.1:"))
        #expect(run.error.contains(reason))
        #expect(run.status != .harness || run.output.contains("generator   invalid"), "\(run.output)")
        #expect(folder.has("Reports/load.html"))
    }

    @Test(
        "A file for Prometheus may begin with a digit where a folder or its end says that it is one",
        arguments: ["80.prom", "./80x", "o/9464", "127.0.0.1:80.prom", "metrics.txt"])
    func prometheusFile(name: String) throws {
        #expect(try PrometheusDestination.read(name).file == name)
    }

    @Test(
        "Destinations that cannot be are wrong usage",
        arguments: [
            ["--prometheus", "70000"], ["--otlp", "http://"], ["--otlp", "ftp://x"],
            ["--otlp", "http://127.0.0.1:9", "--otlp-header", "nothing"],
            ["--prometheus", "0", "--clock", "virtual"], ["--otlp", "http://127.0.0.1:9", "--clock", "virtual"],
        ])
    func usage(arguments: [String]) async throws {
        let folder = try self.folder()
        let run = try await ToolRun(["load", "load.lua", "--iterations", "1"] + arguments, in: folder.path)
        #expect(run.status == .usage, "\(run.error)")
    }

    @Test(
        "Options that have nothing to be about are wrong usage",
        arguments: [
            (["--otlp-header", "a=b"], "--otlp-header goes with a collector"),
            (["--otlp-interval", "1s", "--otlp", "file.json"], "--otlp-interval goes with a collector"),
            (["--rendezvous-timeout", "5s"], "--rendezvous-timeout goes with --rendezvous"),
        ])
    func idle(arguments: [String], message: String) async throws {
        let run = try await ToolRun(["load", "load.lua", "--iterations", "1"] + arguments, in: try self.folder().path)
        #expect(run.ended(.usage) && run.error.contains(message), "\(run.error)")
    }

    @Test("A saved result is not watched: a port is refused")
    func saved() async throws {
        let run = try await ToolRun(["report", "x.json", "--prometheus", "9464"], in: try self.folder().path)
        #expect(run.status == .usage)
        #expect(run.error.contains("the run is over"))
    }
}
