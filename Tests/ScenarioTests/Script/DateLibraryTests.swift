import JSON
import Machines
import Testing

@testable import Scenario

@Suite("date in scripts")
struct DateLibraryTests {
    @Test("the time is that of the scenario, which begins at the epoch of virtual time and goes on as it waits")
    func now() throws {
        #expect(
            try ScriptRun.value(
                of:
                    "{ before, date.now(), date.today(), date.today(31), date.today(-1), date.epoch(date.now()), os.time() }",
                after: "local before = date.now() wait \"4m\"") == [
                    "2024-01-01T00:00:00.000Z", "2024-01-01T00:04:00.000Z", "2024-01-01", "2024-02-01", "2023-12-31",
                    1_704_067_440.0, 1_704_067_440,
                ])
    }

    @Test("while a file is loaded it is the time at which its scenarios begin")
    func loading() throws {
        let run = try ScriptRun("local at = date.now() scenario(\"s\", function(t) wait(5) log.info(at) end)")
        #expect(run.logs == ["2024-01-01T00:00:00.000Z"])
    }

    @Test(
        "amounts are added, each of its own unit",
        arguments: [
            ("\"2024-01-31\", { months = 1 }", "2024-02-29"), ("\"2023-01-31\", { months = 1 }", "2023-02-28"),
            ("\"2024-02-29\", { years = 4 }", "2028-02-29"), ("\"2024-02-29\", { years = -4 }", "2020-02-29"),
            ("\"2024-01-01\", { weeks = 1, days = 1 }", "2024-01-09"),
            ("\"2024-01-01\", { hours = 25 }", "2024-01-02T01:00:00.000Z"),
            ("\"2024-01-01\", { hours = 24 }", "2024-01-02"), ("\"2024-01-01\", {}", "2024-01-01"),
            ("\"2024-01-01T00:00:00Z\", { days = 1 }", "2024-01-02T00:00:00.000Z"),
            ("\"2024-12-31T23:59:59.999Z\", { seconds = 1 }", "2025-01-01T00:00:00.999Z"),
            ("\"2024-03-31\", { months = -1, days = 1 }", "2024-03-01"),
            ("\"0001-01-01\", { years = -1 }", "0000-01-01"),
            ("\"9999-12-30\", { days = 1 }", "9999-12-31"),
            ("\"1970-01-01\", { minutes = -1 }", "1969-12-31T23:59:00.000Z"),
        ] as [(String, String)])
    func adding(arguments: String, expected: String) throws {
        #expect(try ScriptRun.value(of: "date.add(\(arguments))") == .string(expected))
    }

    @Test(
        "a time may have an offset, and is the same moment",
        arguments: [
            ("2026-01-31T10:00:00+02:00", 1_769_846_400), ("2026-01-31T02:30:00.000-0530", 1_769_846_400),
            ("2026-01-31T08:00:00Z", 1_769_846_400), ("2026-01-31T08:00:00+00:00", 1_769_846_400),
        ] as [(String, Double)])
    func offsets(text: String, seconds: Double) throws {
        #expect(try ScriptRun.value(of: "date.epoch \"\(text)\"").double == seconds)
    }

    @Test(
        "a date of a header is a moment, too",
        arguments: ["Sat, 31 Jan 2026 08:00:00 GMT", "Saturday, 31-Jan-26 08:00:00 GMT", "Sat Jan 31 08:00:00 2026"])
    func headers(text: String) throws {
        #expect(try ScriptRun.value(of: "date.epoch \"\(text)\"").double == 1_769_846_400)
        #expect(try ScriptRun.mistake(in: "date.epoch \"\(text) or so\"")?.contains("takes a date such as") == true)
    }

    @Test(
        "what is no offset is no date",
        arguments: [
            "2026-01-31T10:00:00+24:00", "2026-01-31T10:00:00+02:60", "2026-01-31T10:00:00+2", "2026-01-31+02:00",
            "0000-01-01T00:00:00+01:00", "2026-02-30T10:00:00+01:00",
        ])
    func wrongOffsets(text: String) throws {
        #expect(try ScriptRun.mistake(in: "date.epoch \"\(text)\"")?.contains("takes a date such as") == true)
    }

    @Test("days are counted as a calendar that goes from one to the next counts them")
    func walk() throws {
        var time = try #require(CalendarTime("1896-02-27"))
        var (year, month, day) = (1896, 2, 27)
        for _ in 0..<4_000 {
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            (year, month, day) =
                day < length ? (year, month, day + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
            time = try time.adding(["days": 1])
            let text = time.text.prefix(10).split(separator: "-").compactMap { Int($0) }
            #expect(text == [year, month, day])
            guard text == [year, month, day] else { return }
        }
    }

    @Test("days of the week follow one another, before 1970 and after it", arguments: [-5_000, -1, 0, 1, 20_000])
    func weekdays(day: Int64) throws {
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        for offset in 0..<14 as Range<Int64> {
            let time = CalendarTime(epochMilliseconds: (day + offset) * 86_400_000 + 5_000)
            // 1970-01-01 was a Thursday.
            let place = Int((((day + offset + 3) % 7) + 7) % 7)
            #expect(try time.formatted("%A") == names[place])
        }
    }

    @Test(
        "what leaves the years that can be written is refused, whichever unit leaves them",
        arguments: [
            "\"9999-12-31\", { days = 1 }", "\"0000-01-01\", { days = -1 }", "\"2024-01-01\", { years = 9000 }",
            "\"2024-01-01\", { years = -2025 }", "\"2024-01-01\", { weeks = 10000000 }",
            "\"2024-01-01\", { weeks = -10000000, months = 1 }",
            "\"9999-12-31T23:59:59Z\", { seconds = 1 }", "\"2024-01-01\", { days = 10000000, months = -1 }",
        ])
    func outOfRange(arguments: String) throws {
        #expect(try ScriptRun.mistake(in: "date.add(\(arguments))") == "date.add works on years from 0 to 9999")
    }

    @Test(
        "patterns",
        arguments: [
            ("%Y-%m-%d %H:%M:%S", "2024-03-05 07:08:09"), ("%-d.%-m.%Y", "5.3.2024"), ("%-H:%-M:%-S", "7:8:9"),
            ("%A %a %B %b", "Tuesday Tue March Mar"), ("100 %% é", "100 % é"), ("", ""), ("%-Y", "2024"),
        ] as [(String, String)])
    func formats(pattern: String, text: String) throws {
        #expect(try ScriptRun.value(of: "date.format(\"2024-03-05T07:08:09.123Z\", \"\(pattern)\")") == .string(text))
    }

    @Test(
        "what is no date, unit or pattern is told with what there is",
        arguments: [
            ("date.add(\"2024-01-01\", { day = 1 })", "date.add has no \"day\"; did you mean \"days\"?"),
            (
                "date.add(\"2024-01-01\", { fortnights = 1 })",
                "date.add has no \"fortnights\"; it has years, months, weeks, days, hours, minutes, seconds"
            ),
            (
                "date.add(\"2024-01-01\", { days = 1.5 })",
                "date.add takes a whole number of days up to ten million, not 1.5"
            ),
            (
                "date.add(\"2024-01-01\", { days = 10000001 })",
                "date.add takes a whole number of days up to ten million, not 10000001"
            ),
            (
                "date.add(\"2024-01-01\", { days = \"1\" })",
                "date.add takes a whole number of days up to ten million, not \"1\""
            ),
            ("date.add(\"2024-13-01\", {})", "date.add: there is no day \"2024-13-01\""),
            (
                "date.add(\"1.1.2024\", {})",
                "date.add takes a date such as \"2026-11-21\" or \"2026-11-21T10:15:00Z\", not \"1.1.2024\""
            ), ("date.add(5, {})", "date.add: argument 1 (date) must be a string, not an integer"),
            (
                "date.add(\"2024-01-01\", 5)",
                "date.add: argument 2 (amounts) must be a table of named fields, not an integer"
            ),
            (
                "date.today(1000001)",
                "date.today: argument 1 (days) must lie between -1000000 and 1000000, and is 1000001"
            ),
            ("date.today(-1000000)", "date.today works on years from 0 to 9999"),
            (
                "date.format(\"2024-01-01\", \"%Q\")",
                "date.format knows %Y %m %d %H %M %S %B %b %A %a, %-d and the like, and %%; not what stands in \"%Q\""
            ),
            (
                "date.format(\"2024-01-01\", \"100%\")",
                "date.format knows %Y %m %d %H %M %S %B %b %A %a, %-d and the like, and %%; not what stands in \"100%\""
            ),
            (
                "date.format(\"2024-01-01\", \"%-\")",
                "date.format knows %Y %m %d %H %M %S %B %b %A %a, %-d and the like, and %%; not what stands in \"%-\""
            ),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
