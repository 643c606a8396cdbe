import JSON
import LuaRuntime
import Machines

/// An observed event as scripts see it: its fields beside `event`, `number`, `at` (seconds) and `raw` (the wire form).
///
/// It is handed on a dozen times until the script has it, each of which would copy all that is in it.
final class ObservedEvent: LuaTableSource {
    /// What each of them may have, whatever its kind.
    static let ownFields = ["event", "number", "at", "raw", "captures", "form"]

    let logged: LoggedEvent

    /// The fields that events of its kind may have.
    let members: MemberGuard?

    /// What an expectation captured of it; shown as `captures`; nil if there is nothing.
    let captures: NamedMembers?

    /// The object that stands for the field `form`, where that can be filled and submitted.
    var form: LuaValue?

    init(logged: LoggedEvent, members: MemberGuard?, captures: NamedMembers? = nil) {
        self.logged = logged
        self.members = members
        self.captures = captures
    }

    var memberCount: Int {
        // With what it keeps the document under, and the two members that come of that.
        if self.logged.event.document != nil { return 9 }
        if let packed = self.logged.event.packed { return 5 + Int(packed.count) }
        return 5 + self.logged.event.fields.count
    }

    func write(into table: borrowing LuaTableWriter) {
        let event = self.logged.event
        table.set("event", to: event.kind.rawValue)
        table.set("number", to: Int64(self.logged.number))
        table.set("at", to: Double(self.logged.at.nanoseconds) / 1_000_000_000)
        if let text = event.document {
            self.write(text, into: table)
        } else if let packed = event.packed {
            table.set(membersOf: packed.values)
            switch packed.raw {
            case .none: break
            case .field(let field): table.set("raw", toMember: field)
            case .value(let start): table.set("raw", to: packed.values, from: Int(start))
            }
        } else {
            let fields = event.fields
            for (name, field) in fields {
                if name == "headers", let headers = field.object {
                    table.set(name, to: LuaValue.source(HeaderTable(headers: headers)))
                } else {
                    table.set(name, to: field)
                }
            }
            if let form = self.form { table.set("form", to: form) }
            // A frame with JSON shows the same value twice; one table is enough for both.
            if let field = event.rawField {
                table.set("raw", toMember: field)
            } else if let raw = event.raw, !raw.isNull {
                if raw == fields["json"] { table.set("raw", toMember: "json") } else { table.set("raw", to: raw) }
            }
        }
        if let captures = self.captures { table.set("captures", to: LuaValue.source(captures)) }
        if let members = self.members { table.refuseMisspelt(members) }
    }

    /// Writes a message of text; its members `json` and `raw` come when the script asks for them.
    private func write(_ text: String, into table: borrowing LuaTableWriter) {
        table.set("type", to: "text" as StaticString)
        table.set("size", to: Int64(text.utf8.count))
        table.set(document: text)
    }
}

/// What came of an expectation that is satisfied.
enum Observation {
    /// Nothing: silence, or what was optional.
    case nothing
    case event(ObservedEvent)
    case events([ObservedEvent])
}
