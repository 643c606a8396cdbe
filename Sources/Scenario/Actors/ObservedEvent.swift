import JSON
import LuaRuntime
import Machines

/// An observed event as scripts see it: its fields beside `event`, `number`, `at` (seconds) and `raw` (the wire form).
struct ObservedEvent: LuaTableSource {
    /// What each of them may have, whatever its kind.
    static let ownFields = ["event", "number", "at", "raw", "captures", "form"]

    let logged: LoggedEvent

    /// The fields that events of its kind may have.
    let members: MemberGuard?

    /// What an expectation captured of it; shown as `captures` if there is something.
    var captures: JSONObject = [:]

    /// The object that stands for the field `form`, where that can be filled and submitted.
    var form: LuaValue?

    var memberCount: Int {
        let hasRaw = self.logged.event.raw.map { !$0.isNull } ?? false
        return 3 + self.logged.event.fields.count + (self.captures.isEmpty ? 0 : 1) + (hasRaw ? 1 : 0)
    }

    func write(into table: borrowing LuaTableWriter) {
        defer { if let members = self.members { table.refuseMisspelt(members) } }
        let event = self.logged.event
        table.set("event", to: .string(event.kind.rawValue) as JSONValue)
        table.set("number", to: .integer(Int64(self.logged.number)) as JSONValue)
        table.set("at", to: .double(Double(self.logged.at.nanoseconds) / 1_000_000_000) as JSONValue)
        for (name, field) in event.fields { table.set(name, to: field) }
        if let form = self.form { table.set("form", to: form) }
        if !self.captures.isEmpty { table.set("captures", to: .object(self.captures) as JSONValue) }
        guard let raw = event.raw, !raw.isNull else { return }
        // A frame with JSON shows the same value twice; one table is enough for both.
        if raw == event.fields["json"] {
            table.set("raw", toMember: "json")
        } else {
            table.set("raw", to: raw)
        }
    }
}

/// What came of an expectation that is satisfied.
enum Observation {
    /// Nothing: silence, or what was optional.
    case nothing
    case event(ObservedEvent)
    case events([ObservedEvent])
}
