import JSON
import Machines
import Testing

@testable import Load

@Suite("A think time")
struct ThinkTimeTests {
    @Test(
        "has the mean and the deviation that it is given",
        arguments: [
            (.uniform(from: 1, to: 5), 4.0 / 12.0.squareRoot()),
            (.normal(mean: 10, deviation: 2), 2),
            (.exponential(mean: 3), 3),
            (.lognormal(mean: 5, deviation: 3), 3),
            (.pareto(least: 1, exponent: 4), (4.0 / 18).squareRoot()),
            (.gamma(mean: 6, exponent: 3), 6 / 3.0.squareRoot()),
            (.gamma(mean: 2, exponent: 0.5), 2 / 0.5.squareRoot()),
            (.constant(2), 0),
        ] as [(ThinkTime.Distribution, Double)])
    func moments(distribution: ThinkTime.Distribution, deviation: Double) {
        let time = ThinkTime(distribution)
        var random = RandomSource(seed: 11)
        let draws = (0..<50_000).map { _ in time.draw(using: &random).seconds }
        let mean = draws.reduce(0, +) / Double(draws.count)
        let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(draws.count)
        #expect(abs(mean - time.mean) <= 0.02 * time.mean)
        #expect(abs(variance.squareRoot() - deviation) <= 0.1 * deviation)
    }

    @Test("never leaves its bounds")
    func bounds() {
        let distributions: [ThinkTime.Distribution] = [
            .normal(mean: 1, deviation: 50), .pareto(least: 1, exponent: 0.05), .exponential(mean: 1e9),
            .lognormal(mean: 5, deviation: 1e6), .gamma(mean: 0, exponent: 0.01), .constant(100),
            .uniform(from: 0, to: 1000),
        ]
        var random = RandomSource(seed: 12)
        for distribution in distributions {
            let time = ThinkTime(distribution, least: .seconds(2), most: .seconds(3))
            for _ in 0..<2000 {
                let draw = time.draw(using: &random)
                #expect(draw >= .seconds(2) && draw <= .seconds(3))
            }
        }
    }

    @Test("is drawn by the seed alone")
    func seeded() {
        let time = ThinkTime(.gamma(mean: 6, exponent: 3))
        var one = RandomSource(seed: 5)
        var two = RandomSource(seed: 5)
        #expect((0..<100).allSatisfy { _ in time.draw(using: &one) == time.draw(using: &two) })
    }

    @Test(
        "is read from a script",
        arguments: [
            (#""2s""#, ThinkTime(.constant(2), least: .seconds(2), most: .seconds(2))),
            ("0.5", ThinkTime(.constant(0.5), least: .milliseconds(500), most: .milliseconds(500))),
            (#"{"distribution": "exponential", "mean": "3s"}"#, ThinkTime(.exponential(mean: 3))),
            (
                #"{"distribution": "uniform", "min": "1s", "max": "5s"}"#,
                ThinkTime(.uniform(from: 1, to: 5), least: .seconds(1), most: .seconds(5))
            ),
            (
                #"{"distribution": "lognormal", "mean": 5, "deviation": "3s", "max": "1m"}"#,
                ThinkTime(.lognormal(mean: 5, deviation: 3), most: .seconds(60))
            ),
            (#"{"distribution": "pareto", "least": 1, "exponent": 1.5}"#, ThinkTime(.pareto(least: 1, exponent: 1.5))),
            (#"{"distribution": "gamma", "mean": "6s", "exponent": 3}"#, ThinkTime(.gamma(mean: 6, exponent: 3))),
            (#"{"distribution": "normal", "mean": 2, "deviation": 1}"#, ThinkTime(.normal(mean: 2, deviation: 1))),
        ] as [(String, ThinkTime)])
    func reading(text: String, time: ThinkTime) throws {
        let shape = try LoadShape([
            "executor": "constant_vus", "users": 1, "duration": 1, "think_time": JSONReader.read(text),
        ])
        #expect(shape.workloads[0].thinkTime == time)
    }
}
