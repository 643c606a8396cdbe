import Machines

/// A pattern of the Unicode date format (UTS #35), the part that timestamps of a chat need, with English names.
struct DatePattern: Sendable {
    /// The pattern, such as `E MMM d, HH:mm a`.
    let text: String

    /// The letters of the pattern's language that are known here.
    private static let letters: Set<Character> = ["E", "M", "L", "d", "y", "H", "h", "k", "K", "m", "s", "S", "a"]

    /// Returns what is wrong with a pattern, or nil if nothing is: a letter outside of quotes that stands for nothing.
    static func problem(in text: String) -> String? {
        var isQuoted = false
        for character in text {
            if character == "'" {
                isQuoted.toggle()
            } else if !isQuoted, character.isASCII, character.isLetter, !Self.letters.contains(character) {
                let known = Self.letters.map { "\($0)" }.sorted().joined(separator: " ")
                return "has the letter \(character), which stands for nothing here; the letters are \(known), and text "
                    + "stands in single quotes"
            }
        }
        return isQuoted ? "has a single quote without an end" : nil
    }

    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns a time in words.
    ///
    /// - Parameters:
    ///   - epochMilliseconds: Milliseconds since 1970 UTC.
    ///   - offset: Minutes east of UTC.
    func format(epochMilliseconds: Int64, offset: Int64) -> String {
        let (local, overflow) = epochMilliseconds.addingReportingOverflow(offset * 60_000)
        let stamp = Array(Timestamp.text(epochMilliseconds: overflow ? epochMilliseconds : local))
        guard stamp.count == 24 else { return "" }
        func number(_ range: Range<Int>) -> Int { Int(String(stamp[range])) ?? 0 }
        let days = Int((Double(local) / 86_400_000).rounded(.down))
        let parts = Parts(
            year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13),
            minute: number(14..<16), second: number(17..<19), millisecond: number(20..<23),
            weekday: ((days + 4) % 7 + 7) % 7)
        var result = ""
        var rest = Array(self.text)[...]
        while let first = rest.first {
            if first == "'" {
                rest = rest.dropFirst()
                let quoted = rest.prefix { $0 != "'" }
                result += quoted.isEmpty ? "'" : String(quoted)
                rest = rest.dropFirst(quoted.count + 1)
                continue
            }
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(run.count)
            result += Self.field(first, run.count, parts) ?? String(run)
        }
        return result
    }

    private struct Parts {
        let year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int, weekday: Int
    }

    private static func field(_ letter: Character, _ count: Int, _ parts: Parts) -> String? {
        switch letter {
        case "E" where count == 5: String(self.days[parts.weekday].prefix(1))
        case "E": count < 4 ? String(self.days[parts.weekday].prefix(3)) : self.days[parts.weekday]
        case "M" where count == 5, "L" where count == 5: String(self.months[parts.month - 1].prefix(1))
        case "M" where count > 2, "L" where count > 2:
            count == 3 ? String(self.months[parts.month - 1].prefix(3)) : self.months[parts.month - 1]
        case "M", "L": self.pad(parts.month, count)
        case "d": self.pad(parts.day, count)
        case "y": count == 2 ? self.pad(parts.year % 100, 2) : self.pad(parts.year, count)
        case "H": self.pad(parts.hour, count)
        case "h": self.pad(parts.hour % 12 == 0 ? 12 : parts.hour % 12, count)
        case "k": self.pad(parts.hour == 0 ? 24 : parts.hour, count)
        case "K": self.pad(parts.hour % 12, count)
        case "m": self.pad(parts.minute, count)
        case "s": self.pad(parts.second, count)
        case "S": String(self.pad(parts.millisecond, 3).prefix(count))
        case "a": parts.hour < 12 ? "AM" : "PM"
        default: nil
        }
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
