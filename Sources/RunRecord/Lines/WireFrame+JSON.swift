import JSON

extension WireFrame {
    func addMembers(to line: inout JSONMemberWriter) {
        line.add("connection", self.connection)
        line.add("direction", self.direction.rawValue)
        line.add("summary", self.summary)
        switch self.payload {
        case .text(let text): line.add("text", text)
        case .base64(let text): line.add("base64", text)
        case nil: break
        }
        if self.isTruncated { line.add("truncated", true) }
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let text = try members.optionalString("text").map { Payload.text($0) }
        let base64 = try members.optionalString("base64").map { Payload.base64($0) }
        self.init(
            connection: try members.string("connection"),
            direction: try members.word("direction", of: Direction.self), summary: try members.string("summary"),
            payload: text ?? base64, isTruncated: try members.flag("truncated"))
    }
}
