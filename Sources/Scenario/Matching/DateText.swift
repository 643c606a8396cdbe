import JSON

/// Dates as people and protocols write them.
///
/// | form | read as |
/// |---|---|
/// | `2026-11-21`, with `T10:15`, `T10:15:30`, `T10:15:30.250`, `Z` or `+01:00` or not | as it stands |
/// | `21.11.2026` | day, month, year |
/// | `21/11/2026`, `11/21/2026` | the part above 12 is the day; otherwise it stays as it is written |
/// | `21 November 2026`, `21. Nov 2026`, `November 21, 2026` | English names of months |
///
/// The value is `2026-11-21`, with the time if there was one.
enum DateText {
    /// The names of the months in English.
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns the dates that a text can begin with from a place on, the longest first.
    static func readings(_ text: [Character], at start: Int) -> [TypedText.Reading] {
        var reader = Reader(text: text, place: start)
        let readings = reader.iso() + reader.numeric() + reader.named()
        return readings.sorted { $0.end > $1.end }
    }

    private struct Reader {
        let text: [Character]
        var place: Int

        mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
            let run = self.text[min(self.place, self.text.count)...].prefix { $0.isASCII && $0.isNumber }
            guard counts.contains(run.count), let number = Int(String(run)) else { return nil }
            self.place = run.endIndex
            return number
        }

        mutating func take(_ characters: Set<Character>) -> Character? {
            guard self.place < self.text.count, characters.contains(self.text[self.place]) else { return nil }
            self.place += 1
            return self.text[self.place - 1]
        }

        func reading(_ year: Int, _ month: Int, _ day: Int) -> [TypedText.Reading] {
            guard DateText.isDate(year, month, day) else { return [] }
            return [.init(end: self.place, value: .string(DateText.text(year, month, day)))]
        }

        mutating func iso() -> [TypedText.Reading] {
            let start = self.place
            defer { self.place = start }
            guard let year = self.digits(4...4), self.take(["-"]) != nil, let month = self.digits(2...2),
                self.take(["-"]) != nil, let day = self.digits(2...2)
            else { return [] }
            let date = self.reading(year, month, day)
            guard !date.isEmpty, self.take(["T", "t", " "]) != nil, let hour = self.digits(2...2), hour < 24,
                self.take([":"]) != nil, let minute = self.digits(2...2), minute < 60
            else { return date }
            var ends = [self.place]
            let afterMinute = self.place
            if self.take([":"]) != nil, let second = self.digits(2...2), second < 61 {
                ends.append(self.place)
                let afterSecond = self.place
                if self.take([".", ","]) != nil, self.digits(1...9) != nil {
                    ends.append(self.place)
                } else {
                    self.place = afterSecond
                }
            } else {
                self.place = afterMinute
            }
            if let zone = self.take(["Z", "z", "+", "-"]) {
                if zone == "Z" || zone == "z" {
                    ends.append(self.place)
                } else if let hours = self.digits(2...2) {
                    _ = self.take([":"])
                    if let minutes = self.digits(2...2), hours < 24, minutes < 60 { ends.append(self.place) }
                } else if let offset = self.digits(4...4), offset < 2400, offset % 100 < 60 {
                    ends.append(self.place)
                }
            }
            return date + ends.map { .init(end: $0, value: .string(String(self.text[start..<$0]))) }
        }

        mutating func numeric() -> [TypedText.Reading] {
            let start = self.place
            defer { self.place = start }
            guard let first = self.digits(1...2), let separator = self.take([".", "/"]),
                let second = self.digits(1...2), self.take([separator]) != nil, let year = self.digits(4...4)
            else { return [] }
            if separator == "." || first > 12 { return self.reading(year, second, first) }
            if second > 12 { return self.reading(year, first, second) }
            guard 1...12 ~= first, 1...12 ~= second else { return [] }
            return [.init(end: self.place, value: .string(String(self.text[start..<self.place])))]
        }

        mutating func month() -> Int? {
            let letters = self.text[min(self.place, self.text.count)...].prefix { $0.isLetter }
            let name = String(letters).lowercased()
            let index = DateText.months.firstIndex { month in
                let month = month.lowercased()
                return name == month || name == month.prefix(3) || (name == "sept" && month == "september")
            }
            guard let index else { return nil }
            self.place = letters.endIndex
            return index + 1
        }

        mutating func named() -> [TypedText.Reading] {
            let start = self.place
            defer { self.place = start }
            if let day = self.digits(1...2) {
                _ = self.take(["."])
                guard self.take([" "]) != nil, let month = self.month() else { return [] }
                _ = self.take([".", ","])
                guard self.take([" "]) != nil, let year = self.digits(4...4) else { return [] }
                return self.reading(year, month, day)
            }
            guard let month = self.month() else { return [] }
            _ = self.take(["."])
            guard self.take([" "]) != nil, let day = self.digits(1...2) else { return [] }
            _ = self.take([","])
            guard self.take([" "]) != nil, let year = self.digits(4...4) else { return [] }
            return self.reading(year, month, day)
        }
    }

    private static func isDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard 1...12 ~= month, day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1]
    }

    private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
