import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Dates as people write them")
struct DateTextTests {
    private static func value(_ text: String) -> String? { TypedText.date.value(of: .string(text))?.string }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }

    /// Counts days by adding one after the other, which needs no rule but the lengths of the months.
    private static func days(of year: Int, isLeap: Bool) -> [(month: Int, day: Int)] {
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return lengths.enumerated().flatMap { month, length in (1...length).map { (month: month + 1, day: $0) } }
    }

    @Test(
        "each day of a year is read in each way to write it, and no day that the year does not have",
        arguments: [(2023, false), (2024, true), (1900, false), (2000, true)] as [(Int, Bool)])
    func everyDay(year: Int, isLeap: Bool) {
        let days = Self.days(of: year, isLeap: isLeap)
        for month in 1...12 {
            let name = DateText.months[month - 1]
            for day in 1...31 {
                let exists = days.contains { $0 == (month, day) }
                let expected = exists ? "\(year)-\(Self.padded(month))-\(Self.padded(day))" : nil
                for text in [
                    "\(year)-\(Self.padded(month))-\(Self.padded(day))", "\(day).\(month).\(year)",
                    "\(Self.padded(day)).\(Self.padded(month)).\(year)", "\(day) \(name) \(year)",
                    "\(day). \(name.prefix(3)) \(year)", "\(name) \(day), \(year)",
                    "\(name.prefix(3).uppercased()). \(day) \(year)",
                ] {
                    #expect(Self.value(text) == expected, "\(text)")
                }
                for text in ["\(day)/\(month)/\(year)", "\(month)/\(day)/\(year)"] {
                    // Which of two small numbers is the day only whoever wrote it knows.
                    #expect(Self.value(text) == (day > 12 ? expected : text), "\(text)")
                }
            }
        }
    }

    @Test(
        "a time behind a date is kept as it is written, as far as it is one",
        arguments: [
            ("2026-11-21T10:15", true), ("2026-11-21 10:15", true), ("2026-11-21t10:15:30", true),
            ("2026-11-21T10:15:60Z", true), ("2026-11-21T10:15:30,5+0130", true),
            ("2026-11-21T10:15:30.123456789z", true),
            ("2026-11-21T23:59-08:00", true), ("2026-11-21T24:00", false), ("2026-11-21T10:60", false),
            ("2026-11-21T10:15:61", false), ("2026-11-21T1:15", false), ("2026-11-21T10:15:30.", false),
            ("2026-11-21T10:15+1", false), ("2026-11-21T10:15:30.1234567890", false), ("2026-11-21  10:15", false),
            ("2026-11-21T", false), ("2026-11-21T10:15+24:00", false), ("2026-11-21T10:15-0160", false),
            ("2026-11-21T10:15+2359", true),
        ] as [(String, Bool)])
    func times(text: String, isDate: Bool) {
        #expect(Self.value(text) == (isDate ? text : nil))
    }

    @Test(
        "what is no date is none",
        arguments: [
            "2026-1-1", "26-01-01", "2026/01/01", "1.1.26", "1-1-2026", "0.1.2026", "1.0.2026", "32.1.2026",
            "1.13.2026",
            "13/13/2026", "0/5/2026", "21 Novembr 2026", "21  November 2026", "November 21 26", "Novem 21, 2026",
            "today",
            "21 2026 November", "2026-02-30T10:15", "1./1.2026", "1.1/2026", "",
        ])
    func noDates(text: String) {
        #expect(Self.value(text) == nil)
    }

    @Test("a date is found at its place in a text and ends where it ends")
    func places() {
        let text = Array("on 3 Sept 2026, at 2026-11-21T10:15.")
        #expect(DateText.readings(text, at: 3).map(\.value) == ["2026-09-03"])
        #expect(DateText.readings(text, at: 3).first?.end == 14)
        let readings = DateText.readings(text, at: 19)
        #expect(readings.map(\.value) == ["2026-11-21T10:15", "2026-11-21"])
        #expect(readings.map(\.end) == [35, 29])
        #expect(DateText.readings(text, at: text.count).isEmpty)
    }
}
