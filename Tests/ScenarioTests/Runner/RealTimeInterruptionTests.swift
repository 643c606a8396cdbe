import PlainWebSocket
import RunRecord
import Synchronization
import Testing

@testable import Scenario

@Suite("Ending a run that plays on several event loops")
struct RealTimeInterruptionTests {
    /// Scenarios that wait until they are broken off.
    private static func source(cleanUp: String) -> String {
        """
        local bell = require "bell"
        for number = 1, 9 do
            scenario("s" .. number, function(t)
                local own = t:actor(bell)
                t:defer(function() own:ring "cleans" \(cleanUp) own:ring "cleaned" end)
                own:ring "waits"
                wait "30s"
            end)
        end
        """
    }

    /// Bells that ask a run to end, from the thread of the ring, each time that one of these texts has rung so often.
    private static func bells(_ interruption: Interruption, requestingAt counts: [String: Int]) -> BellLog {
        BellLog { texts in
            guard let last = texts.last, texts.count(where: { $0 == last }) == counts[last] else { return }
            interruption.request()
        }
    }

    @Test("what plays is broken off on all loops and cleans up, and nothing begins any more", arguments: [1, 3])
    func once(loops: Int) async throws {
        let interruption = Interruption()
        let bells = Self.bells(interruption, requestingAt: ["waits": 6])
        let settings = RealTime.settings(bells)
        let suite = try RealTime.suite([Self.source(cleanUp: "wait \"20ms\"")], settings)
        let run = await RealTime.run(suite, settings, workers: 6, loops: loops, interruption: interruption)
        RealTime.expectOrder(run.entries)
        #expect(run.end.isInterrupted && run.end.counts == OutcomeCounts(errors: 6))
        #expect(run.problems == Array(repeating: ["interrupted"], count: 6))
        #expect(run.end.durationNanoseconds < 15_000_000_000)
        #expect(bells.count("waits") == 6 && bells.count("cleaned") == 6 && bells.threads("cleaned").count == loops)
    }

    @Test("who interrupts a wait is told what came instead")
    func cameInstead() async throws {
        let interruption = Interruption()
        let settings = RealTime.settings([PlainWebSocketSystem.system])
        let suite = try RealTime.suite(
            [
                """
                local websocket = require "websocket"
                scenario("waits", function(t)
                    t:server(websocket, { echo = true })
                    local client = t:actor(websocket)
                    client:connect()
                    client:expect "connected"
                    client:send "instead"
                    client:send "second"
                    client:expect("frame", { text = "second" })
                    print "waits"
                    client:expect("frame", { text = "never" }, { within = "30s" })
                end)
                """
            ], settings)
        let run = await RealTime.run(
            suite, settings, workers: 1, loops: 1, interruption: interruption,
            whileReporting: { entries in
                let waits = entries.contains { entry in
                    if case .happened(_, _, .logged(_, "waits")) = entry { true } else { false }
                }
                if waits { interruption.request() }
            })
        #expect(run.problems == [["interrupted"]])
        let details = run.entries.compactMap { entry in
            if case .scenarioEnded(let end) = entry { end.problems.first?.detail } else { nil }
        }
        #expect(details.first?.contains("unexpected client: #2") == true, "\(details)")
        #expect(details.first?.contains("instead") == true, "\(details)")
    }

    @Test("who asks again does not wait until what plays has cleaned up, on any loop")
    func twice() async throws {
        let interruption = Interruption()
        let bells = Self.bells(interruption, requestingAt: ["waits": 6, "cleans": 6])
        let settings = RealTime.settings(bells)
        let suite = try RealTime.suite([Self.source(cleanUp: "wait \"20s\"")], settings)
        let run = await RealTime.run(suite, settings, workers: 6, loops: 3, interruption: interruption)
        RealTime.expectOrder(run.entries)
        #expect(run.end.isInterrupted && run.end.counts == OutcomeCounts(errors: 6))
        #expect(bells.count("cleaned") == 0 && run.end.durationNanoseconds < 15_000_000_000)
    }

    @Test("a run that is asked to end before it begins plays nothing")
    func before() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let suite = try RealTime.suite([Self.source(cleanUp: "")], settings)
        let interruption = Interruption()
        interruption.request()
        let run = await RealTime.run(suite, settings, workers: 6, loops: 3, interruption: interruption)
        #expect(run.entries.begun == [] && run.end.isInterrupted && bells.texts == [])
        #expect(run.entries.count == 2)
    }

    @Test("what is being made for several loops is broken off after those who wait for it, which say what ended them")
    func parts() async throws {
        let interruption = Interruption()
        let bells = Self.bells(interruption, requestingAt: ["asks": 6])
        let settings = RealTime.settings(bells)
        let source = """
            local bell = require "bell"
            fixture("account", { scope = "run" }, function(t)
                t:actor(bell):ring "makes"
                wait "20s"
            end)
            for number = 1, 6 do
                scenario("s" .. number, function(t)
                    t:actor(bell):ring "asks"
                    t:use "account"
                end)
            end
            """
        let suite = try RealTime.suite([source], settings)
        let run = await RealTime.run(suite, settings, workers: 6, loops: 3, interruption: interruption)
        RealTime.expectOrder(run.entries)
        #expect(run.end.durationNanoseconds < 15_000_000_000 && bells.count("makes") <= 1)
        // The part is the last.
        #expect(run.problems == Array(repeating: ["interrupted"], count: 7))
        #expect(run.end.counts == OutcomeCounts(errors: 7))
    }
}
