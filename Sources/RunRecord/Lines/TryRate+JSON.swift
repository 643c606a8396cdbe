import JSON

extension TryRate {
    /// Sets the members in an object of the record.
    func write(to members: inout JSONObject) {
        members["tries"] = .integer(self.tries)
        members["passed"] = .integer(self.passed)
        members["low"] = .double(self.low)
        members["high"] = .double(self.high)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let tries = try members.integer("tries")
        self.init(
            tries: tries, passed: try members.passed(of: tries), low: try members.required("low", \.double),
            high: try members.required("high", \.double))
    }
}
