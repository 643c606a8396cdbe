import LuaRuntime
import Machines

/// What the fields of an event must be like so that their text can stand for them: of kinds that Lua itself tells, with
/// nothing to be made of their values, and neither forms nor headers, which scripts see as objects of their own.
struct EventShape {
    let kind: EventKind
    let table: TableShape

    /// The fields that may be any value, one of which may be the wire form as well.
    let openFields: [String]

    /// Returns nil for an event of which the fields have to be looked at.
    init?(_ event: EventDeclaration) {
        var members: [TableShape.Member] = []
        for field in event.fields {
            guard !Self.objects.contains(field.name), !field.isSecret, field.range == nil,
                let kind = Self.kind(of: field.type)
            else { return nil }
            members.append(TableShape.Member(field.name, kind, isOptional: field.isOptional))
        }
        self.kind = event.kind
        self.table = TableShape(members)
        self.openFields = event.fields.filter { $0.type == .json }.map(\.name)
    }

    private static let objects: Set<String> = [DeclaredForm.field, "headers"]

    private static func kind(of type: ScriptType) -> TableShape.Kind? {
        switch type {
        case .string: .text
        case .integer: .integer
        case .number: .number
        case .boolean: .boolean
        case .json: .any
        case .duration, .record, .map, .list, .choice, .either, .actor, .file, .function, .nothing: nil
        }
    }
}
