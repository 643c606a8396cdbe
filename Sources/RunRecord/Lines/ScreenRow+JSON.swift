import JSON

extension ScreenRow {
    /// Appends the rows of a screen. They are most of what a record has, and so none is made a value first.
    static func append(_ screen: [ScreenRow], to writer: inout JSONWriter) {
        writer.append(literal: "[")
        for (place, row) in screen.enumerated() {
            if place > 0 { writer.append(literal: ",") }
            writer.appendMembers { members in
                members.add("kind", row.kind.rawValue)
                members.add("text", row.text)
                members.add("label", row.label)
            }
        }
        writer.append(literal: "]")
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            try members.word("kind", of: Kind.self), try members.string("text"),
            label: try members.optionalString("label"))
    }
}
