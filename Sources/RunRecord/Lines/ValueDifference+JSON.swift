public import JSON

extension ValueDifference {
    /// The difference as a record has it; of `expected` and `found`, every second part is marked.
    public var json: JSONValue {
        [
            "path": .string(self.path), "expected": .strings(self.expected.parts), "found": .strings(self.found.parts),
        ]
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            path: try members.string("path"), expected: MarkedText(parts: try members.strings("expected")),
            found: MarkedText(parts: try members.strings("found")))
    }
}
