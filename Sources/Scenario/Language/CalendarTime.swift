import JSON
import Machines

/// A moment as scripts compute with it: UTC, Gregorian calendar, to the millisecond.
struct CalendarTime: Hashable {
    let epochMilliseconds: Int64

    init(epochMilliseconds: Int64) {
        self.epochMilliseconds = epochMilliseconds
    }

    /// Reads `2026-11-21`, or that with a time as ``Timestamp`` reads it, which may have an offset in place of the `Z`.
    init?(_ text: String) {
        var full = text.count == 10 ? text + "T00:00:00Z" : text
        var offset: Int64 = 0
        if !text.hasSuffix("Z"), let zoned = text.wholeMatch(of: /(.{19,23})([+-])([01][0-9]|2[0-3]):?([0-5][0-9])/) {
            guard let hours = Int64(zoned.3), let minutes = Int64(zoned.4) else { return nil }
            offset = (hours * 60 + minutes) * 60_000 * (zoned.2 == "-" ? -1 : 1)
            full = zoned.1 + "Z"
        }
        guard let milliseconds = Timestamp.epochMilliseconds(full), Self.written.contains(milliseconds - offset) else {
            return nil
        }
        self.init(epochMilliseconds: milliseconds - offset)
    }

    /// `2026-11-21T10:15:00.000Z`.
    var text: String { Timestamp.text(epochMilliseconds: self.epochMilliseconds) }

    /// The times of the years 0 to 9999, which four digits can write.
    static let written: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// How many days lie between the day and that of 1970-01-01; days before that one are negative.
    var dayNumber: Int64 {
        let day = self.epochMilliseconds / 86_400_000
        return self.epochMilliseconds % 86_400_000 < 0 ? day - 1 : day
    }

    /// Whether no hour, minute or second has passed of the day.
    var isMidnight: Bool { self.epochMilliseconds % 86_400_000 == 0 }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("weeks", 604_800_000), ("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000),
    ]

    /// Returns the moment that lies some years, months, weeks, days, hours, minutes and seconds later.
    ///
    /// A day that the month does not have becomes its last one.
    ///
    /// - Throws: ``UsageError`` that names the unit.
    func adding(_ amounts: JSONObject) throws(UsageError) -> CalendarTime {
        var milliseconds = self.epochMilliseconds
        var months: Int64 = 0
        for (name, value) in amounts {
            guard let amount = value.integer, -10_000_000...10_000_000 ~= amount else {
                throw UsageError("date.add takes a whole number of \(name) up to ten million, not \(value)")
            }
            if name == "years" {
                months += amount * 12
            } else if name == "months" {
                months += amount
            } else if let unit = Self.units.first(where: { $0.name == name }) {
                milliseconds += amount * unit.milliseconds
            } else {
                let known = ["years", "months"] + Self.units.map(\.name)
                throw UsageError(UnknownMember.text(name, of: "date.add", among: known))
            }
        }
        guard Self.written.contains(milliseconds) else { throw UsageError("date.add works on years from 0 to 9999") }
        guard months != 0 else { return CalendarTime(epochMilliseconds: milliseconds) }
        let text = Timestamp.text(epochMilliseconds: milliseconds)
        let parts = text.prefix(10).split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { throw UsageError("date.add works on years from 0 to 9999") }
        let month = parts[0] * 12 + parts[1] - 1 + months
        guard 0..<120_000 ~= month else { throw UsageError("date.add works on years from 0 to 9999") }
        let (year, number) = (month / 12, month % 12 + 1)
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let last = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(number) - 1]
        let day = min(parts[2], Int64(last))
        let date = "\(Self.padded(year, 4))-\(Self.padded(number, 2))-\(Self.padded(day, 2))"
        guard let result = Timestamp.epochMilliseconds(date + text.dropFirst(10)) else {
            throw UsageError("date.add works on years from 0 to 9999")
        }
        return CalendarTime(epochMilliseconds: result)
    }

    private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

    /// Returns the moment in a form of its own: `%Y %m %d %H %M %S`, `%B` and `%b` for the month, `%A` and `%a` for the
    /// day of the week, `%-d` and the like without a zero in front.
    ///
    /// - Throws: ``UsageError`` that names what there is not.
    func formatted(_ pattern: String) throws(UsageError) -> String {
        let text = Array(self.text)
        let weekday = Self.weekdays[Int(((self.dayNumber % 7) + 7) % 7)]
        let month = DateText.months[(Int(String(text[5..<7])) ?? 1) - 1]
        let fields: [Character: String] = [
            "Y": String(text[0..<4]), "m": String(text[5..<7]), "d": String(text[8..<10]), "H": String(text[11..<13]),
            "M": String(text[14..<16]), "S": String(text[17..<19]), "B": month, "b": String(month.prefix(3)),
            "A": weekday, "a": String(weekday.prefix(3)), "%": "%",
        ]
        var result = ""
        var rest = Array(pattern)[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            let isShort = rest.first == "-"
            if isShort { rest.removeFirst() }
            guard let name = rest.popFirst(), var field = fields[name] else {
                throw UsageError(
                    "date.format knows %Y %m %d %H %M %S %B %b %A %a, %-d and the like, and %%; not what stands in \"\(pattern)\""
                )
            }
            while isShort, field.count > 1, field.first == "0" { field.removeFirst() }
            result += field
        }
        return result
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
}
