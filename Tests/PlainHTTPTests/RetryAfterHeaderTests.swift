import Machines
import Testing

@testable import PlainHTTP

@Suite("When a server may be asked again")
struct RetryAfterHeaderTests {
    /// 1994-11-06 08:49:37 UTC.
    private static let moment: Int64 = 784_111_777_000

    @Test(
        "Dates come in the three forms of RFC 9110",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func dates(text: String) {
        #expect(HTTPDate.epochMilliseconds(text, year: 2026) == Self.moment)
        #expect(RetryAfterHeader.delay(text, epochMilliseconds: Self.moment - 90_000) == .seconds(90))
        #expect(RetryAfterHeader.delay(text, epochMilliseconds: Self.moment + 1) == .zero)
    }

    @Test("Two digits of a year mean none that is more than 50 years ahead", arguments: [(76, 2076), (77, 1977)])
    func shortYears(digits: Int, year: Int) throws {
        let short = HTTPDate.epochMilliseconds("Friday, 01-Jan-\(digits) 00:00:00 GMT", year: 2026)
        #expect(short == HTTPDate.epochMilliseconds("Fri, 01 Jan \(year) 00:00:00 GMT", year: 2026))
    }

    @Test("Seconds are plain digits", arguments: [("0", 0), ("120", 120), ("9999999999", 9_999_999_999)])
    func seconds(text: String, seconds: Int64) {
        #expect(RetryAfterHeader.delay(text, epochMilliseconds: 0) == .seconds(seconds))
    }

    @Test(
        "Anything else says nothing",
        arguments: [
            "", "soon", "-1", "+1", "1.5", "99999999999", "٣", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 99:99:99 GMT", "Sun Nov 6 08:49:37 1994 GMT extra", ", , , , ,",
        ])
    func nothing(text: String) {
        #expect(RetryAfterHeader.delay(text, epochMilliseconds: Self.moment) == nil)
    }

    @Test("Random texts stop nothing", arguments: 0..<20)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let parts = [
            "Sun", ",", " ", "06", "Nov", "-", "94", "1994", "08:49:37", "GMT", "é", "9", ":", "99999999999999999999",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0..<14, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            for epoch in [0, Self.moment, .max, .min] { _ = RetryAfterHeader.delay(text, epochMilliseconds: epoch) }
        }
    }
}
