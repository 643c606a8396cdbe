import Machines
import Metrics
import Testing

@testable import Load
@testable import Transport

@Suite("The bytes that a run counts")
struct TrafficAccountTests {
    /// What went in one direction, and when.
    private struct Sample: Equatable {
        let metric: BuiltInMetric
        let bytes: Int64
        let microseconds: Int64

        init(_ metric: BuiltInMetric, _ bytes: Int64, at microseconds: Int64) {
            self.metric = metric
            self.bytes = bytes
            self.microseconds = microseconds
        }
    }

    private static func traffic(sent: Int64, received: Int64 = 0) -> Traffic {
        var traffic = Traffic()
        traffic.sent = sent
        traffic.received = received
        return traffic
    }

    private static func look(
        _ account: inout TrafficAccount, at traffic: Traffic, milliseconds: Int64
    ) -> [Sample] {
        var samples: [Sample] = []
        account.look(at: traffic, .start + .milliseconds(milliseconds)) { metric, bytes, at in
            samples.append(Sample(metric, bytes, at: at.nanoseconds / 1_000))
        }
        return samples
    }

    @Test("Each look counts what went since the last one, in the second in which it went")
    func growth() {
        var account = TrafficAccount(phases: Phases())
        var samples = Self.look(&account, at: Self.traffic(sent: 700, received: 90), milliseconds: 1_000)
        #expect(samples == [Sample(.dataSent, 700, at: 0), Sample(.dataReceived, 90, at: 0)])
        samples = Self.look(&account, at: Self.traffic(sent: 700, received: 100), milliseconds: 2_000)
        #expect(samples == [Sample(.dataReceived, 10, at: 1_000_000)])
        #expect(Self.look(&account, at: Self.traffic(sent: 700, received: 100), milliseconds: 2_000).isEmpty)
        // What comes in no time at all belongs to the moment.
        samples = Self.look(&account, at: Self.traffic(sent: 701, received: 100), milliseconds: 2_000)
        #expect(samples == [Sample(.dataSent, 1, at: 2_000_000)])
    }

    @Test("What went before a late look is spread over the seconds in between, and none of it is lost")
    func spread() {
        var account = TrafficAccount(phases: Phases())
        _ = Self.look(&account, at: Traffic(), milliseconds: 500)
        let samples = Self.look(&account, at: Self.traffic(sent: 3_001), milliseconds: 3_500)
        #expect(
            samples == [
                Sample(.dataSent, 500, at: 500_000), Sample(.dataSent, 1_000, at: 1_000_000),
                Sample(.dataSent, 1_000, at: 2_000_000), Sample(.dataSent, 501, at: 3_000_000),
            ])
        // So few that most seconds have none.
        let few = Self.look(&account, at: Self.traffic(sent: 3_003), milliseconds: 60_000)
        #expect(few.map(\.bytes).reduce(0, +) == 2)
    }

    @Test("What goes in a second in which parts of the run begin is shared out among them")
    func phases() {
        let phases = Phases([
            Phases.Phase("warm-up", startMicroseconds: 0, isCounted: false),
            Phases.Phase("rush", startMicroseconds: 1_500_000), Phases.Phase("run", startMicroseconds: 1_750_000),
        ])
        var account = TrafficAccount(phases: phases)
        let samples = Self.look(&account, at: Self.traffic(sent: 4_000), milliseconds: 2_000)
        #expect(
            samples == [
                Sample(.dataSent, 2_000, at: 0), Sample(.dataSent, 1_000, at: 1_000_000),
                Sample(.dataSent, 500, at: 1_500_000), Sample(.dataSent, 500, at: 1_750_000),
            ])
    }

    @Test("A run whose time line begins later than it looks first counts all the same")
    func early() {
        var account = TrafficAccount(phases: Phases())
        let samples = Self.look(&account, at: Self.traffic(sent: 5), milliseconds: -2_000)
        #expect(samples.map(\.bytes) == [5])
    }
}
