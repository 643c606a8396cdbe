import JSON

/// What a script asks of the buttons, cards, forms or tables of a message.
enum MessagePartMatcher {
    /// A button like this; its label alone, or members.
    case button(Matcher)
    /// Buttons with just these labels, in this order.
    case buttons([Matcher])
    /// A card with these members; `buttons` are its own.
    case card([MemberMatcher], buttons: [Matcher]?)
    /// A form with these members, and fields with these by key, label or name.
    case form([MemberMatcher], fields: [MemberMatcher])
    /// A table with these headings and with such rows among its own.
    case table(headings: Matcher?, rows: [Matcher], count: Matcher?)
    /// Such a part in the value of a field: it says by its name of what it is the value.
    indirect case within(String, MessagePartMatcher)

    /// Returns where a message differs from what is asked for; empty if it matches.
    ///
    /// - Parameter purpose: What the mismatches are for.
    func mismatches(_ message: JSONValue, for purpose: MismatchPurpose = .failure) -> [Mismatch] {
        let model = MessageModel(message)
        switch self {
        case .button(let matcher):
            if model.buttons.contains(where: { matcher.fits(.object($0)) }) { return [] }
            var mismatch = self.mismatch(Self.labels(model.buttons))
            if !model.buttons.isEmpty, case .members(let asked) = matcher {
                mismatch.clue = .element(asked: asked, of: model.buttons.map { .object($0) })
            }
            return [mismatch]
        case .buttons(let matchers):
            let fit =
                matchers.count == model.buttons.count
                && zip(matchers, model.buttons).allSatisfy { $0.fits(.object($1)) }
            return fit ? [] : [self.mismatch(Self.labels(model.buttons))]
        case .card(let members, let buttons):
            return self.nearest(model.cards, "card") { card in
                var mismatches = Matcher.members(members).mismatches(.object(card), for: purpose)
                if buttons == nil {
                    // The buttons of a card may stand under any name, and `buttons` asks for all of them.
                    for place in mismatches.indices { mismatches[place].clue?.add("buttons") }
                }
                if let buttons { mismatches += Self.buttons(buttons).mismatches(.object(card), for: purpose) }
                return mismatches
            }
        case .form(let members, let fields):
            return self.nearest(model.forms, "form") { form in
                Matcher.members(members).mismatches(.object(form), for: purpose)
                    + Self.mismatches(of: fields, in: form, for: purpose)
            }
        case .table(let headings, let rows, let count):
            guard !model.tables.isEmpty else { return [self.mismatch(nil)] }
            let all = model.tables.map { table in
                let found = JSONValue.array(table.headings.map { .string($0) })
                return (headings?.mismatches(found, for: purpose) ?? []).map { $0.below("headings") }
                    + (count?.mismatches(.integer(Int64(table.rows.count))) ?? []).map { $0.below("count") }
                    + Self.mismatches(of: rows, among: table.records)
            }
            return all.min { $0.count < $1.count } ?? []
        case .within(let field, let part):
            // A message with such a part may stand in it just as well.
            if part.fits(message) { return [] }
            return part.mismatches(.object([field: message]), for: purpose).map { mismatch in
                var mismatch = mismatch
                // The name of the field, which is put before it, says what kind of part it is.
                if ["card", "form"].contains(mismatch.path.first) { mismatch.path.removeFirst() }
                return mismatch
            }
        }
    }

    private static func mismatches(
        of fields: [MemberMatcher], in form: JSONObject, for purpose: MismatchPurpose
    ) -> [Mismatch] {
        fields.flatMap { field in
            let found = Self.field(field.name, of: form)
            return field.matcher.mismatches(found, for: purpose).map { mismatch in
                var mismatch = mismatch.below("fields." + field.name)
                if found == nil {
                    mismatch.clue = .member(field.name, asked: fields, of: Self.fieldNames(of: form))
                }
                return mismatch
            }
        }
    }

    private static func mismatches(of rows: [Matcher], among records: [JSONValue]) -> [Mismatch] {
        rows.filter { row in !records.contains { row.fits($0) } }.map { row in
            var mismatch = Mismatch(path: ["rows"], expected: "a row \(row)", found: .array(records))
            if case .members(let asked) = row { mismatch.clue = .element(asked: asked, of: records) }
            return mismatch
        }
    }

    /// Returns whether a message is what is asked for.
    func fits(_ message: JSONValue) -> Bool { self.mismatches(message, for: .verdict).isEmpty }

    /// Collects what the part captures of a message that it accepts.
    func capture(_ message: JSONValue, into captures: inout JSONObject) {
        let model = MessageModel(message)
        switch self {
        case .button(let matcher):
            guard let button = model.buttons.first(where: { matcher.fits(.object($0)) }) else { return }
            matcher.capture(.object(button), into: &captures)
        case .buttons(let matchers):
            for (matcher, button) in zip(matchers, model.buttons) { matcher.capture(.object(button), into: &captures) }
        case .card(let members, let buttons):
            let matching = model.cards.first { card in
                Self.card(members, buttons: buttons).fits(["cards": [.object(card)]])
            }
            guard let matching else { return }
            Matcher.members(members).capture(.object(matching), into: &captures)
            if let buttons { Self.buttons(buttons).capture(.object(matching), into: &captures) }
        case .form(let members, let fields):
            let matching = model.forms.first { form in
                Self.form(members, fields: fields).fits(["form": .object(form)])
            }
            guard let matching else { return }
            Matcher.members(members).capture(.object(matching), into: &captures)
            for field in fields { field.matcher.capture(Self.field(field.name, of: matching), into: &captures) }
        case .table(_, let rows, _):
            for table in model.tables {
                for row in rows {
                    guard let record = table.records.first(where: { row.fits($0) }) else { continue }
                    row.capture(record, into: &captures)
                }
            }
        case .within(let field, let part):
            let isWhole = part.fits(message)
            part.capture(isWhole ? message : .object([field: message]), into: &captures)
        }
    }

    /// The names under which the part may capture something.
    var captureNames: [String] {
        switch self {
        case .button(let matcher): matcher.captureNames
        case .buttons(let matchers): matchers.flatMap(\.captureNames)
        case .card(let members, let buttons):
            members.flatMap(\.matcher.captureNames) + (buttons ?? []).flatMap(\.captureNames)
        case .form(let members, let fields): (members + fields).flatMap(\.matcher.captureNames)
        case .table(_, let rows, _): rows.flatMap(\.captureNames)
        case .within(_, let part): part.captureNames
        }
    }

    /// Returns whether it is made of such a matcher.
    func holds(_ isMeant: (Matcher) -> Bool) -> Bool {
        switch self {
        case .button(let matcher): matcher.holds(isMeant)
        case .buttons(let matchers): matchers.contains { $0.holds(isMeant) }
        case .card(let members, let buttons):
            members.contains { $0.matcher.holds(isMeant) } || (buttons ?? []).contains { $0.holds(isMeant) }
        case .form(let members, let fields): (members + fields).contains { $0.matcher.holds(isMeant) }
        case .table(let headings, let rows, let count):
            (rows + [headings, count].compactMap { $0 }).contains { $0.holds(isMeant) }
        case .within(_, let part): part.holds(isMeant)
        }
    }

    private func mismatch(_ found: JSONValue?) -> Mismatch {
        Mismatch(
            path: [], expected: self.description, found: found, clue: found == nil ? .lookedFor(self.places) : nil)
    }

    /// Where such a part is looked for, as a failure says it.
    private var places: String {
        let places = MessageModel.places
        switch self {
        case .button, .buttons: return "under " + places.buttons.joined(separator: ", ")
        case .card:
            return "under " + places.cards.joined(separator: ", ")
                + ", and in attachments whose contentType is that of a card"
        case .form: return "under " + places.forms.joined(separator: ", ")
        case .table: return "in tables with rows, and with headings or columns"
        case .within(_, let part): return part.places
        }
    }

    /// Returns the mismatches of the candidate that comes closest.
    private func nearest(
        _ candidates: [JSONObject], _ path: String, _ mismatches: (JSONObject) -> [Mismatch]
    ) -> [Mismatch] {
        let all = candidates.map(mismatches)
        guard let nearest = all.min(by: { $0.count < $1.count }) else { return [self.mismatch(nil)] }
        return nearest.map { $0.below(path) }
    }

    private static func labels(_ buttons: [JSONObject]) -> JSONValue? {
        buttons.isEmpty ? nil : .array(buttons.map { $0["label"] ?? .null })
    }

    /// By what scripts name the field of a form.
    private static let fieldNamers = ["key", "label", "name", "id"]

    /// All names of the fields of a form.
    private static func fieldNames(of form: JSONObject) -> JSONObject {
        let fields = form["fields"]?.array ?? []
        let names = fields.flatMap { field in Self.fieldNamers.compactMap { field[$0]?.string } }
        return JSONObject((names + (form["fields"]?.object?.names ?? [])).map { ($0, .null) })
    }

    /// The field of a form that a script names by its key, its label or its name.
    private static func field(_ name: String, of form: JSONObject) -> JSONValue? {
        let fields = form["fields"]?.array ?? []
        for member in Self.fieldNamers {
            if let field = fields.first(where: { $0[member] == .string(name) }) { return field }
        }
        return form["fields"]?[name]
    }
}

extension MessagePartMatcher: CustomStringConvertible {
    /// What is asked for, as it reads in a failure.
    var description: String {
        func label(_ matcher: Matcher) -> String {
            if case .members(let members) = matcher, members.count == 1, members[0].name == "label" {
                return members[0].matcher.description
            }
            return matcher.description
        }
        switch self {
        case .button(let matcher): return "a button \(label(matcher))"
        case .buttons(let matchers): return "the buttons { " + matchers.map(label).joined(separator: ", ") + " }"
        case .card(let members, let buttons):
            let own = buttons.map { [Self.buttons($0).description] } ?? []
            return "a card { " + (members.map { "\($0.name) = \($0.matcher)" } + own).joined(separator: ", ") + " }"
        case .form(let members, let fields):
            let all = members.map { "\($0.name) = \($0.matcher)" } + fields.map { "field \($0.name) = \($0.matcher)" }
            return "a form { " + all.joined(separator: ", ") + " }"
        case .table(let headings, let rows, let count):
            var parts = headings.map { ["headings = \($0)"] } ?? []
            if let count { parts.append("\(count) rows") }
            parts += rows.map { "a row \($0)" }
            return "a table { " + parts.joined(separator: ", ") + " }"
        case .within(_, let part): return part.description
        }
    }
}
