import Metrics
import Testing

@Suite("Precision")
struct PrecisionTests {
    @Test("Three digits from one microsecond on keep any percentile within a thousandth")
    func fixed() {
        #expect(Precision.significantDigits == 3)
        #expect(Precision.lowestMicroseconds == 1)
    }
}
