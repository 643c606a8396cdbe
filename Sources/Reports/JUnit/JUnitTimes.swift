/// How long something took: `time` is wall-clock time, as consumers expect; virtual time is a property of its own.
struct JUnitTimes: Hashable {
    var wallNanoseconds: Int64 = 0

    /// Nil if there is no virtual time in the run.
    var virtualNanoseconds: Int64?

    mutating func add(_ other: JUnitTimes) {
        self.wallNanoseconds &+= other.wallNanoseconds
        if let theirs = other.virtualNanoseconds {
            self.virtualNanoseconds = (self.virtualNanoseconds ?? 0) &+ theirs
        }
    }

    mutating func remove(_ other: JUnitTimes) {
        self.wallNanoseconds &-= other.wallNanoseconds
        if let theirs = other.virtualNanoseconds {
            self.virtualNanoseconds = (self.virtualNanoseconds ?? 0) &- theirs
        }
    }

    /// Appends the property with the virtual time, if there is any.
    func render(indent: String = "      ", to output: inout [UInt8]) {
        guard let nanoseconds = self.virtualNanoseconds else { return }
        JUnitProperty.render(
            "virtual_time", DurationText.seconds(nanoseconds: nanoseconds), indent: indent, to: &output)
    }
}
