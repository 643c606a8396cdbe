internal import JSON

/// The members of an object in a result file, read with the path in every complaint.
struct ResultFields {
    private let members: JSONObject
    private let path: String

    init(_ value: JSONValue?, _ path: String) throws(LoadResultError) {
        guard let members = value?.object else { throw LoadResultError("\(path): an object is expected") }
        self.members = members
        self.path = path
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { !(self.members[name]?.isNull ?? true) }

    func error(_ name: String, _ what: String) -> LoadResultError {
        LoadResultError("\(self.path).\(name): \(what)")
    }

    func string(_ name: String) throws(LoadResultError) -> String {
        guard let text = self.members[name]?.string else { throw self.error(name, "a string is expected") }
        return text
    }

    func bool(_ name: String) throws(LoadResultError) -> Bool {
        guard let value = self.members[name]?.bool else { throw self.error(name, "true or false is expected") }
        return value
    }

    /// The counts and times that a file may hold: what every reader of JSON keeps (RFC 8259 section 6). Sums of
    /// a few hundred of them, and a thousand times one, fit 64 bits, whoever wrote the file.
    static let counts: ClosedRange<Int64> = 0...(1 << 53)

    /// A count of something, or a time.
    func integer(_ name: String) throws(LoadResultError) -> Int64 {
        guard let number = self.members[name]?.integer, Self.counts.contains(number) else {
            throw self.error(name, "a whole number from 0 to \(Self.counts.upperBound) is expected")
        }
        return number
    }

    /// The sum of all values of a metric, which of a long run may be more than any count is.
    func sum(_ name: String) throws(LoadResultError) -> Int64 {
        guard let number = self.members[name]?.integer, number >= 0 else {
            throw self.error(name, "a whole number from 0 on is expected")
        }
        return number
    }

    /// Any number.
    func double(_ name: String) throws(LoadResultError) -> Double {
        guard let number = self.members[name]?.double, number.isFinite else {
            throw self.error(name, "a number is expected")
        }
        return number
    }

    func array(_ name: String) throws(LoadResultError) -> [JSONValue] {
        guard let elements = self.members[name]?.array else { throw self.error(name, "an array is expected") }
        return elements
    }

    /// The elements of an array, all of which must be strings.
    func texts(_ name: String) throws(LoadResultError) -> [String] {
        var result: [String] = []
        for element in try self.array(name) {
            guard let text = element.string else { throw self.error(name, "strings are expected") }
            result.append(text)
        }
        return result
    }

    /// The elements of an array that are objects.
    func objects(_ name: String) throws(LoadResultError) -> [ResultFields] {
        var result: [ResultFields] = []
        for (index, element) in try self.array(name).enumerated() {
            result.append(try ResultFields(element, "\(self.path).\(name)[\(index)]"))
        }
        return result
    }

    func object(_ name: String) throws(LoadResultError) -> ResultFields {
        try ResultFields(self.members[name], "\(self.path).\(name)")
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _: Word.Type) throws(LoadResultError)
        -> Word
    {
        guard let word = Word(rawValue: try self.string(name)) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw self.error(name, "one of \(known) is expected")
        }
        return word
    }

    /// The members in order, all of which must be strings.
    func strings() throws(LoadResultError) -> [(String, String)] {
        var result: [(String, String)] = []
        for (name, value) in self.members {
            guard let text = value.string else { throw self.error(name, "a string is expected") }
            result.append((name, text))
        }
        return result
    }

    /// A histogram of that precision.
    func histogram(_ name: String, _ precision: Precision) throws(LoadResultError) -> Histogram {
        try Histogram(json: self.members[name] ?? .null, precision, path: "\(self.path).\(name)")
    }
}
