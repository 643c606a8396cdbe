import Machines
import Testing

@testable import Load

@Suite("The time at which a run starts")
struct StartTimeTests {
    @Test(
        "is read as RFC 3339 writes it",
        arguments: [
            ("1970-01-01T00:00:01Z", 1_000_000_000), ("1970-01-01T00:00:00.5Z", 500_000_000),
            ("1970-01-01t00:00:00.000000001z", 1), ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T19:30:00-04:30", 0),
            ("2026-11-21T12:00:00Z", 1_795_262_400_000_000_000), ("1972-06-30T23:59:60Z", 78_796_800_000_000_000),
        ] as [(String, Int64)])
    func times(text: String, nanoseconds: Int64) {
        #expect(EpochTime(text: text)?.nanoseconds == nanoseconds)
    }

    @Test(
        "is told to the millisecond that it lies in",
        arguments: [
            (1_795_262_400_002_000_000, "2026-11-21T12:00:00.002Z"),
            (1_795_262_400_002_999_999, "2026-11-21T12:00:00.002Z"), (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func told(nanoseconds: Int64, text: String) {
        #expect(EpochTime(nanoseconds: nanoseconds).description == text)
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21 12:00:00Z", "2026-02-31T12:00:00Z",
            "2026-13-01T12:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00.1234567890Z",
            "2026-11-21T12:00:00+2:00", "2026-11-21T12:00:00+25:00", "2026-11-21T12:00:00Zx", "9999-11-21T12:00:00Z",
            "+30", "30s", "+-3s", "+1e9h", "２０26-11-21T12:00:00Z",
        ])
    func refused(text: String) {
        #expect(throws: StartError.self) { try StartTime(text: text) }
    }

    @Test("may be given from now on, and must not have passed")
    func relative() throws {
        let now = EpochTime(nanoseconds: 1_000_000_000_000)
        #expect(try StartTime(text: "+30s").time(now: now) == now + .seconds(30))
        #expect(try StartTime.at(now + .seconds(1)).time(now: now) == now + .seconds(1))
        #expect(throws: StartError.self) { try StartTime.at(now).time(now: now) }
        #expect(throws: StartError.self) { try StartTime.at(now + .seconds(90_000)).time(now: now) }
    }
}
