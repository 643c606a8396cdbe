import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("In virtual time a seed decides everything")
struct DeterminismTests {
    /// A part of the package's scenarios that is quick enough to be played hundreds of times.
    private static let scenarios = ["boldchat/queue.lua", "boldchat/endings.lua", "websocket"].map {
        Product.root + "/Scenarios/" + $0
    }

    private func record(seed: String, workers: String = "1") async throws -> Data {
        let run = try await ToolRun(
            ["test"] + Self.scenarios + ["--seed", seed, "--workers", workers, "--quiet"], in: Product.root)
        #expect(run.status == .success, "\(run.output)")
        return try run.reports.data("run.jsonl")
    }

    @Test("the same seed gives the same run record, byte for byte, also on several threads")
    func same() async throws {
        let first = try await self.record(seed: "1815")
        let second = try await self.record(seed: "1815")
        #expect(first == second)
        let parallel = try await self.record(seed: "1815", workers: "4")
        #expect(first == parallel)
        #expect(first.count > 10_000)
    }

    @Test("systems in Lua, on both sides, give the same run record for the same seed")
    func ownSystems() async throws {
        func record(_ seed: String, _ workers: String) async throws -> Data {
            let run = try await ToolRun(
                ["test", "Scenarios/own", "--seed", seed, "--workers", workers, "--quiet"], in: Product.root)
            #expect(run.status == .success, "\(run.output)")
            return try run.reports.data("run.jsonl")
        }
        for seed in ["1", "1815"] {
            let first = try await record(seed, "1")
            #expect(first == (try await record(seed, "1")))
            #expect(first == (try await record(seed, "3")))
        }
        #expect(try await record("1", "1") != (try await record("2", "1")))
    }

    @Test("another seed gives another run record")
    func different() async throws {
        let first = try await self.record(seed: "1")
        let second = try await self.record(seed: "2")
        #expect(first != second)
    }

    @Test("they pass with many seeds")
    func seeds() async throws {
        // Each repetition has a seed of its own.
        let run = try await ToolRun(
            ["test"] + Self.scenarios + ["--repeat", "25", "--quiet"], in: Product.root)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        var seeds: Set<UInt64> = []
        for case .scenarioStarted(let start) in try run.record { seeds.insert(start.seed) }
        #expect(seeds.count > 25 * 20)
    }

    @Test("one scenario alone plays as it does among the others")
    func alone() async throws {
        func happenings(_ run: ToolRun) throws -> [String] {
            let title = "a visitor waits, is answered and rates the agent"
            var index: Int?
            return try run.record.compactMap { entry in
                switch entry {
                case .scenarioStarted(let start) where start.titlePath == [title]: index = start.index
                case .happened(let scenario, let at, let what) where scenario == index: return "\(at) \(what)"
                default: break
                }
                return nil
            }
        }
        let whole = try await ToolRun(["test"] + Self.scenarios + ["--seed", "7"], in: Product.root)
        let alone = try await ToolRun(
            ["test"] + Self.scenarios + ["--seed", "7", "--filter", "a visitor waits, is answered"], in: Product.root)
        #expect(try happenings(whole) == happenings(alone))
        #expect(try happenings(alone).count > 10)
    }
}
