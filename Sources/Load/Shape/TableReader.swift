import JSON
import Machines

/// Reads the members of one table of a load shape, each with its type and its limits.
///
/// A member that is missing or wrong is reported with its path and reads as nil; reading then goes on, so that one
/// look at a file tells everything that is wrong with it.
struct TableReader {
    let table: JSONObject
    let path: String
    let problems: ProblemCollector

    /// Opens a table and reports the members that it may not have.
    ///
    /// - Parameters:
    ///   - value: The value that should be a table; an empty Lua table may come as an empty list.
    ///   - path: Where it stands.
    ///   - known: The names of the members it may have.
    ///   - problems: Where problems go.
    /// - Returns: Nil if it is no table of named members, which is reported.
    init?(_ value: JSONValue, path: String, known: [String], problems: ProblemCollector) {
        if value.array?.isEmpty == true {
            self.table = [:]
        } else if let table = value.object {
            self.table = table
        } else {
            let example = known.first.map { "{ \($0) = … }" } ?? "{ }"
            problems.add(path, "is \(value.kindName); write a table such as \(example)")
            return nil
        }
        self.path = path
        self.problems = problems
        for name in self.table.names.sorted() where !known.contains(name) {
            problems.add("\(path).\(name)", "there is no such member" + TextDistance.hint(name, among: known))
        }
    }

    /// The path of a member.
    func path(_ name: String) -> String { "\(self.path).\(name)" }

    /// The value of a member; nil, which is reported, if it is missing.
    ///
    /// - Parameter example: What the author could write.
    func required(_ name: String, example: String) -> JSONValue? {
        if let value = self.optional(name) { return value }
        if !self.problems.isPartial { self.problems.add(self.path(name), "is missing; write \(name) = \(example)") }
        return nil
    }

    /// The value of a member that may be missing.
    func optional(_ name: String) -> JSONValue? {
        guard let value = self.table[name], !value.isNull else { return nil }
        return value
    }

    /// Reads a whole number.
    func count(_ name: String, in range: ClosedRange<Int>, example: String) -> Int? {
        guard let value = self.required(name, example: example) else { return nil }
        return self.count(value, at: self.path(name), in: range)
    }

    /// Reads a whole number that may be missing.
    func optionalCount(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = self.optional(name) else { return nil }
        return self.count(value, at: self.path(name), in: range)
    }

    /// Reads a whole number that is already at hand.
    func count(_ value: JSONValue, at path: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            self.problems.add(
                path,
                "is \(value.shown); write a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Reads a number.
    func number(_ name: String, in range: ClosedRange<Double>, example: String) -> Double? {
        guard let value = self.required(name, example: example) else { return nil }
        return self.number(value, at: self.path(name), in: range)
    }

    /// Reads a number that is already at hand.
    func number(_ value: JSONValue, at path: String, in range: ClosedRange<Double>) -> Double? {
        guard let number = value.double, range.contains(number) else {
            self.problems.add(
                path, "is \(value.shown); write a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Which durations a member may have, besides that all have a longest one.
    enum DurationBound {
        case fromZero, aboveZero
    }

    /// Reads a duration.
    func duration(_ name: String, _ bound: DurationBound = .fromZero, example: String = "\"30s\"") -> Duration? {
        guard let value = self.required(name, example: example) else { return nil }
        return self.duration(value, at: self.path(name), bound)
    }

    /// Reads a duration that may be missing.
    func optionalDuration(_ name: String, _ bound: DurationBound = .fromZero) -> Duration? {
        guard let value = self.optional(name) else { return nil }
        return self.duration(value, at: self.path(name), bound)
    }

    /// Reads a duration that is already at hand: a text with a unit, or a number of seconds.
    func duration(_ value: JSONValue, at path: String, _ bound: DurationBound = .fromZero) -> Duration? {
        let duration = value.string.map { Duration(scriptText: $0) } ?? value.double.map { Duration(scriptSeconds: $0) }
        guard let duration = duration.flatMap({ $0 }) else {
            self.problems.add(
                path,
                "\(value.shown) is not a duration; write \"250ms\", \"30s\", \"5m\", \"1h\" or a number of seconds")
            return nil
        }
        guard duration <= LoadShape.longestDuration else {
            self.problems.add(path, "is longer than \(LoadShape.longestDuration.scriptText), the longest there is")
            return nil
        }
        guard bound == .fromZero || duration > .zero else {
            self.problems.add(path, "is no time at all; write a duration above 0s, such as \"30s\"")
            return nil
        }
        return duration
    }

    /// Reads a rate.
    func rate(_ name: String) -> Rate? {
        guard let value = self.required(name, example: "\"50/s\"") else { return nil }
        return self.rate(value, at: self.path(name))
    }

    /// Reads a rate that is already at hand: a text such as `300/m`, or a number per second.
    func rate(_ value: JSONValue, at path: String) -> Rate? {
        let rate =
            value.string.map { text in Rate(text: text) ?? Double(text).flatMap { Rate(perSecond: $0) } }
            ?? value.double.map { Rate(perSecond: $0) }
        guard let rate = rate.flatMap({ $0 }) else {
            self.problems.add(
                path,
                "\(value.shown) is not a rate up to 1,000,000 per second; write \"50/s\", \"300/m\", \"1000/h\" or a number per second"
            )
            return nil
        }
        return rate
    }

    /// Reads a name that may be missing.
    func text(_ name: String) -> String? {
        guard let value = self.optional(name) else { return nil }
        return self.text(value, at: self.path(name))
    }

    /// Reads a name that is already at hand: not empty, one line, at most 200 characters.
    func text(_ value: JSONValue, at path: String) -> String? {
        guard let text = value.string, !text.isEmpty, text.count <= 200, !text.contains(where: \.isNewline) else {
            self.problems.add(path, "is \(value.shown); write a text of one line with 1 to 200 characters")
            return nil
        }
        return text
    }

    /// Reads one of several words; it may be missing.
    func choice<Word: RawRepresentable & CaseIterable>(_ name: String, of type: Word.Type) -> Word?
    where Word.RawValue == String {
        guard let value = self.optional(name) else { return nil }
        if let word = value.string.flatMap(Word.init(rawValue:)) { return word }
        let words = Word.allCases.map(\.rawValue)
        let choice = "write one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
        self.problems.add(
            self.path(name),
            "\(value.shown) is not known"
                + (value.string.map { TextDistance.hint($0, among: words, otherwise: choice) } ?? "; \(choice)"))
        return nil
    }

    /// Reads a list, whose elements are counted from 1 as the script does.
    ///
    /// - Returns: The elements with their paths; nil if it is missing, and, which is reported, if it is no list or has
    ///   too many elements.
    func list(_ name: String, atMost limit: Int) -> [(path: String, value: JSONValue)]? {
        guard let value = self.optional(name) else { return nil }
        guard let elements = value.array ?? (value.object?.isEmpty == true ? [] : nil) else {
            self.problems.add(self.path(name), "is \(value.kindName); write a list: { { … }, { … } }")
            return nil
        }
        guard elements.count <= limit else {
            self.problems.add(self.path(name), "has \(elements.count) elements; there may be at most \(limit)")
            return nil
        }
        return elements.enumerated().map { ("\(self.path(name))[\($0.offset + 1)]", $0.element) }
    }
}
