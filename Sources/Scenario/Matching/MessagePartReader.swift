import JSON
import Machines

/// Reads what a script asks of the buttons, cards, forms or tables of a message.
struct MessagePartReader {
    /// Reads the matchers within.
    let reader: MatcherReader

    /// The constructors, by their names after `match.`.
    static let names = ["button", "buttons", "card", "form", "table"]

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - name: The constructor.
    ///   - value: What it was given.
    /// - Throws: ``UsageError`` that says what the constructor takes.
    func part(_ name: String, _ value: JSONValue) throws(UsageError) -> MessagePartMatcher {
        switch name {
        case "button": .button(try self.button(value))
        case "buttons": .buttons(try self.buttons(value, of: "match.buttons takes"))
        case "card": try self.card(value)
        case "form": try self.form(value)
        default: try self.table(value)
        }
    }

    private func card(_ value: JSONValue) throws(UsageError) -> MessagePartMatcher {
        var members = try self.members(value, "card", "{ title = \"…\", buttons = { … } }")
        try Self.check(
            members, of: "card", among: ["title", "subtitle", "description", "text", "url", "uri", "buttons"])
        var buttons: [Matcher]?
        if let labels = members["buttons"] {
            members["buttons"] = nil
            buttons = try self.buttons(labels, of: "the buttons of match.card are")
        }
        return .card(try self.reader.members(members), buttons: buttons)
    }

    private func form(_ value: JSONValue) throws(UsageError) -> MessagePartMatcher {
        var members = try self.members(value, "form", "{ title = \"…\", fields = { email = { required = true } } }")
        try Self.check(members, of: "form", among: ["title", "kind", "fields"])
        let fields = members["fields"] ?? .array([])
        members["fields"] = nil
        var wanted: [MemberMatcher] = []
        if let table = fields.object, table["@match"] == nil {
            wanted = try self.reader.members(table).map { field in
                guard case .empty = field.matcher else { return field }
                return MemberMatcher(name: field.name, matcher: .anything)
            }
        } else {
            let names = fields.array?.compactMap(\.string)
            guard let names, names.count == fields.array?.count else {
                throw UsageError(
                    "the fields of match.form are a list of names, or a table of them and of what each is to be, not "
                        + fields.given)
            }
            wanted = names.map { MemberMatcher(name: $0, matcher: .anything) }
        }
        return .form(try self.reader.members(members), fields: wanted)
    }

    private func table(_ value: JSONValue) throws(UsageError) -> MessagePartMatcher {
        var members = try self.members(value, "table", "{ headings = { … }, rows = { { Name = \"…\" } } }")
        let (headings, rows, count) = (members["headings"], members["rows"], members["count"])
        for known in ["headings", "rows", "count"] { members[known] = nil }
        if let unknown = members.names.first {
            throw UsageError("match.table has no option \"\(unknown)\"; it has headings, rows and count")
        }
        var matchers: [Matcher] = []
        let wanted = try self.list(
            rows ?? .array([]), "the rows of match.table are a list, such as { { Name = \"…\" } }")
        for row in wanted { matchers.append(try self.matcher(row)) }
        try MatcherReader.checkCaptures(matchers)
        var (headingMatcher, countMatcher): (Matcher?, Matcher?) = (nil, nil)
        if let headings {
            guard headings.array != nil || headings["@match"] != nil else {
                throw UsageError(
                    "the headings of match.table are a list or a matcher of one, not \(headings.given)")
            }
            headingMatcher = try self.reader.matcher(headings)
        }
        if let count { countMatcher = try self.reader.count(count, of: "the count of match.table is") }
        return .table(headings: headingMatcher, rows: matchers, count: countMatcher)
    }

    /// Refuses a member that is spelt almost as one that most systems have: systems have others, too, and a part that
    /// must not be there is never there with a misspelt one.
    private static func check(_ members: JSONObject, of name: String, among known: [String]) throws(UsageError) {
        for member in members.names where !known.contains(member) {
            guard let meant = TextDistance.suggestion(for: member, among: known) else { continue }
            throw UsageError("match.\(name) asks for \"\(member)\"; did you mean \"\(meant)\"?")
        }
    }

    private func members(_ value: JSONValue, _ name: String, _ example: String) throws(UsageError) -> JSONObject {
        guard let members = value.isNull ? [:] : value.object, members["@match"] == nil else {
            throw UsageError("match.\(name) takes a table such as \(example), not \(value.given)")
        }
        return members
    }

    private func buttons(_ value: JSONValue, of owner: String) throws(UsageError) -> [Matcher] {
        var matchers: [Matcher] = []
        for label in try self.list(value, "\(owner) a list of labels, such as { \"Yes\", \"No\" }") {
            matchers.append(try self.button(label))
        }
        try MatcherReader.checkCaptures(matchers)
        return matchers
    }

    /// A text or matcher asks for the label, a plain table for members; `match.button` for what it asks alone.
    private func button(_ value: JSONValue) throws(UsageError) -> Matcher {
        if value["@match"]?.string == "button" { return try self.button(value["value"] ?? .null) }
        if let members = value.object, members["@match"] == nil {
            try Self.check(members, of: "button", among: ["label", "type", "text", "url", "uri", "value"])
            return try self.matcher(value)
        }
        return .members([MemberMatcher(name: "label", matcher: try self.reader.matcher(value))])
    }

    /// What a button or a row is to be; a table without members asks that there is one.
    private func matcher(_ value: JSONValue) throws(UsageError) -> Matcher {
        value.object?.isEmpty == true ? .anything : try self.reader.matcher(value)
    }

    /// A list; a table without members is an empty one.
    ///
    /// - Parameter sentence: What is wrong if it is none, before what was given.
    private func list(_ value: JSONValue, _ sentence: String) throws(UsageError) -> [JSONValue] {
        guard let list = value.array ?? (value.object?.isEmpty == true ? [] : nil) else {
            throw UsageError("\(sentence), not \(value.given)")
        }
        return list
    }
}
