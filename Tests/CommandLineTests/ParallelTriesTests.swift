import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Tries that play at the same time in real time")
struct ParallelTriesTests {
    /// Answers nobody until so many have asked.
    private final class Gate: @unchecked Sendable {
        private let condition = NSCondition()
        private var left: Int

        init(_ count: Int) { self.left = count }

        func pass() {
            self.condition.lock()
            self.left -= 1
            self.condition.broadcast()
            while self.left > 0 { self.condition.wait() }
            self.condition.unlock()
        }
    }

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi".utf8)

    /// Plays tries against a server that answers once so many have asked at the same time.
    private static func play(workers: Int, together count: Int, body: String = "") async throws -> ToolRun {
        let gate = Gate(count)
        let server = try RawServer(
            .replies { _ in
                gate.pass()
                return Self.answer
            })
        defer { server.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local http = require "http"
            local passes = { at_least = 0.8, margin = 0.3, at_most_tries = 40 }
            scenario("bot", { passes = passes, clock = "real" }, function(t)
                local visitor = t:actor(http, { url = "http://127.0.0.1:\(server.port)" })
                visitor:get "/"
                visitor:expect("response", { body = "hi" }, { within = 5 })
                \(body)
                check(random.number() < 0.9)
            end)
            """, to: "bot.lua")
        return try await ToolRun(
            ["test", "bot.lua", "--clock", "real", "--seed", "5", "--workers", "\(workers)"], in: folder.path)
    }

    /// How the tries ended, in the order of the record.
    private static func ends(_ run: ToolRun) throws -> [String] {
        var playing: [Int: Int] = [:]
        var ends: [String] = []
        for entry in try run.record {
            switch entry {
            case .scenarioStarted(let start): playing[start.index] = start.attempt
            case .scenarioEnded(let end):
                let passes = try #require(end.passes)
                let verdict = passes.verdict.map(\.rawValue) ?? "open"
                ends.append(
                    "\(playing[end.index] ?? 0) \(passes.rate.passed)/\(passes.rate.tries) \(verdict) \(passes.checks)")
            default: break
            }
        }
        return ends
    }

    @Test("three ask before the first is answered, and the verdict and the record are those of tries one by one")
    func together() async throws {
        let alone = try await Self.play(workers: 1, together: 1)
        let many = try await Self.play(workers: 8, together: 3)
        let (expected, found) = (try Self.ends(alone), try Self.ends(many))
        #expect(expected.count > 3 && expected == found)
        #expect(expected.enumerated().allSatisfy { $0.element.hasPrefix("\($0.offset + 1) ") })
        #expect(alone.status == many.status && [.success, .failed].contains(alone.status))
    }

    @Test("a try that breaks ends the scenario as it did, and those beside it leave nothing in the record")
    func breaking() async throws {
        let body = "if random.number() < 0.3 then error \"broken\" end"
        let alone = try await Self.play(workers: 1, together: 1, body: body)
        let many = try await Self.play(workers: 8, together: 2, body: body)
        #expect(alone.status == .script && many.status == .script)
        let (one, other) = (try alone.record, try many.record)
        let starts = [one, other].map { record in
            record.compactMap { if case .scenarioStarted(let start) = $0 { start.attempt } else { nil } }
        }
        #expect(starts[0] == starts[1] && !starts[0].isEmpty)
        let outcomes = [one, other].map { record in
            record.compactMap { if case .scenarioEnded(let end) = $0 { end.outcome } else { nil } }
        }
        #expect(outcomes[0] == outcomes[1] && outcomes[0].last == .error)
    }
}
