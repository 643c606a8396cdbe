import Machines
import Testing

import struct Histogram.Histogram

@testable import Metrics

/// Values spread over many powers of two, as latencies with a long tail are.
func spreadValues(_ count: Int, seed: UInt64) -> [Int64] {
    var random = RandomSource(seed: seed)
    return (0..<count).map { _ in
        let bits = Int64.random(in: 4...26, using: &random)
        return Int64.random(in: 0..<(1 << bits), using: &random)
    }
}

@Suite("Histograms")
struct HistogramTests {
    private func histogram(_ values: some Sequence<Int64>, _ precision: Precision = .threeDigits) -> Metrics.Histogram {
        var result = Metrics.Histogram(precision)
        for value in values { result.record(value) }
        return result
    }

    @Test("Every slot begins where the one before ends, for both precisions", arguments: Precision.allCases)
    func slots(precision: Precision) {
        var next: Int64 = 0
        for slot in 0..<precision.slotCount {
            let lowest = precision.lowestValue(of: slot)
            let highest = precision.highestValue(of: slot)
            #expect(lowest == next)
            #expect(precision.slot(of: lowest) == slot)
            #expect(precision.slot(of: highest) == slot)
            #expect(Double(highest - lowest) <= Double(lowest) * (precision == .threeDigits ? 0.001 : 0.008))
            next = highest + 1
        }
        #expect(next == Precision.highestValue + 1)
    }

    @Test("Any percentile is within 0.1 % of the exact one", arguments: [1 as UInt64, 2, 3])
    func percentiles(seed: UInt64) throws {
        let values = spreadValues(50_000, seed: seed)
        let sorted = values.sorted()
        let recorded = self.histogram(values)
        for percentile in [0, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100] {
            let rank = max(1, Int((percentile / 100 * Double(sorted.count)).rounded(.up)))
            let exact = Double(sorted[rank - 1])
            let value = try Double(#require(recorded.value(atPercentile: percentile)))
            #expect(abs(value - exact) <= exact * 0.001, "p\(percentile)")
        }
        #expect(recorded.minimum == sorted.first)
        #expect(recorded.maximum == sorted.last)
        #expect(recorded.sum == values.reduce(0, +))
    }

    @Test("Percentiles are those of the HdrHistogram library")
    func library() throws {
        let values = spreadValues(20_000, seed: 7)
        let recorded = self.histogram(values)
        var library = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for value in values { library.record(UInt64(value)) }
        for percentile in stride(from: 0.5, through: 100, by: 0.5) {
            #expect(recorded.value(atPercentile: percentile) == Int64(library.valueAtPercentile(percentile)))
        }
    }

    @Test("Histograms merged in any grouping equal the one that recorded all")
    func merging() {
        let values = spreadValues(9_000, seed: 4)
        let whole = self.histogram(values)
        let parts = (0..<3).map { part in
            self.histogram(values.enumerated().filter { $0.offset % 3 == part }.map(\.element))
        }
        var left = parts[0]
        left.merge(parts[1])
        left.merge(parts[2])
        var right = parts[2]
        var tail = parts[1]
        tail.merge(parts[0])
        right.merge(tail)
        #expect(left == whole)
        #expect(right == whole)
        #expect(right.encoded == whole.encoded)
    }

    @Test("Few values are kept packed and equal the same values kept one word per slot")
    func forms() {
        let values = (0..<200).map { Int64($0 * 97) }
        let packed = self.histogram(values)
        var dense = self.histogram((0..<1_000).map { Int64($0) })
        dense.removeAll()
        for value in values { dense.record(value) }
        #expect(packed == dense)
        #expect(packed.hashValue == dense.hashValue)
        #expect(packed.byteCount == 1_600)
        #expect(dense.byteCount > packed.byteCount)
        #expect(dense.compacted == packed)
        #expect(dense.compacted.byteCount == packed.byteCount)
    }

    @Test("Recording the same values again takes no more memory")
    func memory() {
        let values = spreadValues(5_000, seed: 5)
        var recorded = self.histogram(values)
        let before = recorded.byteCount
        for _ in 0..<10 { for value in values { recorded.record(value) } }
        #expect(recorded.byteCount == before)
        #expect(recorded.count == 55_000)
    }

    @Test("Values below zero count as zero and are told; those beyond all bounds do not trap")
    func extremes() {
        var recorded = self.histogram([-5, .min, .max, Precision.highestValue + 1])
        recorded.record(7, count: .max)
        #expect(recorded.negativeCount == 2)
        #expect(recorded.minimum == 0)
        #expect(recorded.maximum == Precision.highestValue)
        #expect(recorded.count == .max)
        #expect(recorded.sum == .max)
        recorded.merge(recorded)
        #expect(recorded.count == .max)
    }

    @Test("An empty histogram has no figures")
    func empty() {
        let empty = Metrics.Histogram()
        #expect(empty.value(atPercentile: 99) == nil)
        #expect(empty.minimum == nil)
        #expect(empty.maximum == nil)
        #expect(empty.mean == nil)
        #expect(empty.share(upTo: 5) == nil)
    }

    @Test("The share up to a value counts all that are not greater")
    func share() {
        let recorded = self.histogram(1...100)
        #expect(recorded.share(upTo: 25) == 0.25)
        #expect(recorded.share(upTo: -1) == 0)
        #expect(recorded.share(upTo: .max) == 1)
    }
}
