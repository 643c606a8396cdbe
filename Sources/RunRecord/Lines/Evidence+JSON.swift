import JSON

extension Evidence {
    var json: JSONValue {
        var members: JSONObject = [:]
        members.set("actor", self.actor) { .string($0) }
        if !self.frames.isEmpty { members["frames"] = .array(self.frames.map(\.json)) }
        members.set("nearest", self.nearest) { $0.json }
        if !self.differences.isEmpty { members["differences"] = .array(self.differences.map(\.json)) }
        if !self.sections.isEmpty { members["sections"] = .array(self.sections.map(\.json)) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            actor: try members.optionalString("actor"),
            frames: try members.list("frames") { (frame) throws(RecordFormatError) in try Frame(frame) },
            nearest: try members.optional("nearest", \.object).map { (object) throws(RecordFormatError) in
                try NearestEvent(EntryMembers(.object(object)))
            },
            differences: try members.list("differences") { (difference) throws(RecordFormatError) in
                try ValueDifference(difference)
            },
            sections: try members.list("sections") { (section) throws(RecordFormatError) in try Section(section) })
    }
}

extension Evidence.Frame {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["file": .string(self.file), "line": .integer(self.line)]
        members.set("function", self.function) { .string($0) }
        if !self.excerpt.isEmpty { members["excerpt"] = .strings(self.excerpt) }
        return .object(members)
    }

    fileprivate init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            file: try members.string("file"), line: try members.integer("line"),
            function: try members.optionalString("function"), excerpt: try members.strings("excerpt"))
    }
}

extension Evidence.Section {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["heading": .string(self.heading), "lines": .strings(self.lines)]
        members.set("event", self.event) { .integer($0) }
        return .object(members)
    }

    fileprivate init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            heading: try members.string("heading"), lines: try members.strings("lines"),
            event: try members.optionalInteger("event"))
    }
}
