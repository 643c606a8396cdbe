import JSON
import Machines
import Testing

@testable import Load

@Suite("The curve of a rate")
struct RateCurveTests {
    private func curve(_ start: Double, _ stages: [(Double, Double)]) -> RateCurve {
        RateCurve(
            start: Rate(perSecond: start)!,
            stages: stages.map { Stage(duration: Duration(scriptSeconds: $0.0)!, target: Rate(perSecond: $0.1)!) })
    }

    @Test("counts starts as the area under it")
    func area() {
        #expect(self.curve(0, [(10, 100)]).area == 500)
        #expect(self.curve(10, [(10, 10), (0, 50), (2, 50)]).area == 200)
        #expect(self.curve(100, [(10, 0), (5, 0), (10, 100)]).area == 1000)
    }

    @Test("finds the instant at which a start is due")
    func instants() {
        let rising = self.curve(0, [(10, 100)])
        // From 0 to 100 in 10 s the area is 5 t².
        #expect(rising.time(ofArea: 0) == .zero)
        #expect(rising.time(ofArea: 5) == .seconds(1))
        #expect(rising.time(ofArea: 125) == .seconds(5))
        #expect(rising.time(ofArea: 500) == nil)
        let pausing = self.curve(100, [(10, 0), (5, 0), (10, 100)])
        #expect(pausing.time(ofArea: 500) == .seconds(15))
        #expect(pausing.time(ofArea: 505).map { abs(($0 - .seconds(16)).seconds) < 1e-8 } == true)
    }

    @Test("never goes back in time, and lets no start pass its end", arguments: 0..<200 as Range<UInt64>)
    func monotone(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let stages = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (
                Double.random(in: 0...3, using: &random),
                Bool.random(using: &random) ? 0 : Double.random(in: 0...300, using: &random)
            )
        }
        let curve = self.curve(Bool.random(using: &random) ? 0 : Double.random(in: 0...100, using: &random), stages)
        var last = Duration.zero
        var count = 0
        while let time = curve.time(ofArea: Double(count)) {
            #expect(time >= last && time < curve.length)
            last = time
            count += 1
        }
        #expect(abs(Double(count) - curve.area) <= 1.000001)
        #expect(ArrivalTimes(.arrivals(curve, .uniform), seed: 1)?.count == count)
    }
}
