import Metrics
import Testing

@testable import Reports

@Suite("Axes of charts")
struct ChartScaleTests {
    @Test(
        "an axis of any two numbers has marks on it, and each value a place",
        arguments: [
            (1e308, 1e308), (-1e308, 1e308), (0, .leastNonzeroMagnitude), (-.leastNonzeroMagnitude, 0),
            (1, 1.0000000000000002), (0, 0),
            (.greatestFiniteMagnitude, .greatestFiniteMagnitude), (-3, 12),
        ] as [(Double, Double)])
    func extremes(low: Double, high: Double) {
        for scale in [
            ChartScale.values(of: .number, from: low, to: high), .values(of: .bytes, from: low, to: high),
            .linear(upTo: high), .time(seconds: high),
        ] {
            #expect(!scale.ticks.isEmpty && scale.ticks.allSatisfy(\.isFinite))
            for value in [low, high, low / 2 + high / 2] { #expect((0...1).contains(scale.share(value))) }
        }
    }

    @Test("marks are round and include both ends")
    func round() {
        let scale = ChartScale.values(of: .number, from: -3, to: 12)
        #expect(scale.ticks == [-5, 0, 5, 10, 15] && scale.share(5) == 0.5)
    }
}
