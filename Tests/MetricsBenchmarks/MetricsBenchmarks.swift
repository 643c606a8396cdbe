import Machines
import Metrics

import struct Histogram.Histogram

/// Measures what the README promises of figures under load: their accuracy, their memory and their cost.
@main
enum MetricsBenchmarks {
    private typealias Library = Histogram<UInt64>

    static func main() throws {
        let values = Self.values(10_000_000)
        Self.accuracy(values)
        Self.costs(values)
        try Self.recording(values)
    }

    /// Latencies from 64 µs to 16 s, each power of two as likely as the others.
    private static func values(_ count: Int) -> [Int64] {
        var random = RandomSource(seed: 1)
        return (0..<count).map { _ in
            let bits = Int64.random(in: 6...23, using: &random)
            return (1 << bits) + Int64.random(in: 0..<(1 << bits), using: &random)
        }
    }

    private static func time(_ name: String, _ count: Int, _ body: () -> Void) {
        let duration = ContinuousClock().measure(body)
        let nanoseconds = Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
        print("\(name): \(NumberText.decimal(nanoseconds / Double(count), decimals: 1)) ns")
    }

    private static func accuracy(_ values: [Int64]) {
        var recorded = Metrics.Histogram()
        for value in values { recorded.record(value) }
        let sorted = values.sorted()
        var worst = 0.0
        for step in 1...10_000 {
            let percentile = Double(step) / 100
            // In whole numbers: a rank that is one too high is another value where values are small.
            let rank = (step * sorted.count + 9_999) / 10_000
            let exact = Double(sorted[rank - 1])
            let value = Double(recorded.value(atPercentile: percentile) ?? 0)
            worst = max(worst, abs(value - exact) / exact)
        }
        print(
            "10,000 percentiles of 10,000,000 samples: at worst \(NumberText.decimal(worst * 100, decimals: 4)) % from exact "
                + "(at most 0.1)")
        let before = recorded.byteCount
        for value in values { recorded.record(value) }
        print("memory after 10,000,000 samples more: \(recorded.byteCount - before) bytes more (at most 0)")
        var parts = [Metrics.Histogram](repeating: Metrics.Histogram(), count: 4)
        for (place, value) in values.enumerated() { parts[place % 4].record(value, count: 2) }
        var merged = parts[3]
        for part in parts.dropLast() { merged.merge(part) }
        print(
            "4 parts merged equal the whole, bit for bit: \(merged == recorded && merged.encoded == recorded.encoded)")
    }

    private static func costs(_ values: [Int64]) {
        var own = Metrics.Histogram()
        var library = Library(numberOfSignificantValueDigits: .three)
        Self.time("record", values.count) { for value in values { own.record(value) } }
        Self.time("record, hdrhistogram-swift", values.count) { for value in values { library.record(UInt64(value)) } }
        var sum: Int64 = 0
        Self.time("99.9th percentile", 1_000) {
            for _ in 0..<1_000 { sum &+= own.value(atPercentile: 99.9) ?? 0 }
        }
        Self.time("99.9th percentile, hdrhistogram-swift", 100) {
            for _ in 0..<100 { sum &+= Int64(library.valueAtPercentile(99.9)) }
        }
        Self.time("new histogram with one value", 10_000) {
            for value in 0..<10_000 as Range<Int64> {
                var few = Metrics.Histogram()
                few.record(value)
                sum &+= few.count
            }
        }
        Self.time("new histogram with one value, hdrhistogram-swift", 1_000) {
            for value in 0..<1_000 as Range<UInt64> {
                var few = Library(numberOfSignificantValueDigits: .three)
                few.record(value)
                sum &+= Int64(few.totalCount)
            }
        }
        precondition(sum != 0, "the work must not be left out")
    }

    /// What a sample costs with its phase and its second, and what a message costs in the ledger.
    private static func recording(_ values: [Int64]) throws {
        var measured = Measurements(phases: Phases([.init("a", startMicroseconds: 0)]))
        let series = try (0..<10).map {
            try measured.series(Metric("latency", .trend, unit: .microseconds), tags: [Tag("room", "\($0)")])
        }
        Self.time("sample with its phase and second", values.count) {
            for (place, value) in values.enumerated() {
                measured.record(series[place % 10], value, at: Int64(place) * 6)
            }
        }
        var ledger = Ledger(run: 1)
        Self.time("message sent and delivered in the ledger", 1_000_000) {
            for place in 0..<1_000_000 {
                let user = UInt32(place % 10_000)
                let envelope = ledger.send(from: user, in: user, receivers: 1, intendedMicroseconds: Int64(place))
                ledger.receive(envelope, by: user + 10_000, isAddressee: true)
            }
        }
        print(ledger.account(isOver: true).line)
        var count = 0
        let text = LedgerEnvelope(run: 1, sender: 2, channel: 3, sequence: 4, intendedMicroseconds: 5).appended(
            to: "Hello!")
        Self.time("envelope found in a message", 200_000) {
            for _ in 0..<200_000 where LedgerEnvelope.extract(from: text) != nil { count += 1 }
        }
        precondition(count == 200_000, "each must be found")
    }
}
