import Load
import Machines
import Testing

@testable import CommandLine

@Suite("The start that parts of a run agreed on")
struct AgreedStartTests {
    private static let start = EpochTime(nanoseconds: 1_800_000_000_000_000_000)

    private static func delay(of late: Duration) -> Duration { AgreedStart(time: start).delay(at: start + late) }

    private static func complaint(of late: Duration, shards: Int = 2) -> String? {
        AgreedStart(time: start).complaint(at: start + late, shards: shards)
    }

    @Test("is kept to by a part that is late by a second at most, and is none for a run that waits for nobody")
    func delay() {
        #expect(Self.delay(of: .milliseconds(-300)) == .milliseconds(300))
        #expect(Self.delay(of: .milliseconds(700)) == .milliseconds(-700))
        #expect(Self.delay(of: .seconds(90)) == .seconds(-1))
        #expect(AgreedStart(time: nil).delay(at: Self.start) == .zero)
    }

    @Test("is missed by a shard that is later, and by how much times between shards are wrong then is told")
    func complaint() throws {
        let told = try #require(Self.complaint(of: .milliseconds(3_200)))
        #expect(
            told.hasPrefix(
                "this shard began 3.2s after the start that was agreed on: delivery between shards is wrong by 2.2s"))
        #expect(Self.complaint(of: .seconds(1)) == nil && Self.complaint(of: .seconds(-9)) == nil)
        #expect(Self.complaint(of: .seconds(9), shards: 1) == nil)
        #expect(AgreedStart(time: nil).complaint(at: Self.start, shards: 2) == nil)
    }
}
