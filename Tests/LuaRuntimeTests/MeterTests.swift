import LuaRuntime
import Testing

@Suite("What scripts cost")
struct MeterTests {
    @Test("The time of scripts is estimated from a sample of their resumptions")
    func scripts() throws {
        let fixture = try LuaFixture()
        var now: Int64 = 0
        let meter = LuaMeter { now }
        fixture.state.meter = meter
        var length: Int64 = 1000
        fixture.define("work") { _ throws(HostError) in
            now += length
            return .returns
        }
        for _ in 0..<2000 { _ = try fixture.run("work() wait() work()") }
        #expect(meter.scriptNanoseconds == 4_000_000)
        for number in 0..<2000 {
            length = number % 2 == 0 ? 1000 : 9000
            _ = try fixture.run("work() wait() work()")
        }
        #expect((20_000_000...28_000_000).contains(meter.scriptNanoseconds))
    }

    @Test("The time of collections is estimated from steps of its own, by what they make up for")
    func collection() throws {
        let fixture = try LuaFixture()
        var now: Int64 = 0
        // Each step takes as long as one reading of the clock.
        let meter = LuaMeter {
            now += 1
            return now
        }
        fixture.state.meter = meter
        fixture.define("work") { _ throws(HostError) in
            now += 1000
            return .returns
        }
        #expect(meter.collectionNanoseconds == 0)
        for _ in 0..<200 { _ = try fixture.run("work() for i = 1, 1000 do local t = {} end") }
        // 200,000 empty tables of 56 bytes each are made up for by steps of 2 KiB.
        #expect((5000...7000).contains(meter.collectionNanoseconds))
    }

    @Test("Collections never take longer than scripts ran, whatever the machine did during a step")
    func interruptedCollection() throws {
        let fixture = try LuaFixture()
        var now: Int64 = 0
        let meter = LuaMeter {
            now += 1
            return now
        }
        fixture.state.meter = meter
        for _ in 0..<200 { _ = try fixture.run("for i = 1, 1000 do local t = {} end") }
        #expect(meter.scriptNanoseconds > 0)
        #expect(meter.collectionNanoseconds == meter.scriptNanoseconds)
    }
}
