import JSON
import LuaRuntime
import Machines

/// The event that a system in Lua gives to `emit`.
enum EmittedEvent {
    /// Returns the event that `emit` of a client is given: a name, fields and a raw form.
    static func read(
        _ call: borrowing LuaCall, at number: Int, of system: LuaSystem, isRecorded: Bool
    ) throws(HostError) -> ChatEvent {
        // Where nothing is recorded, hardly anybody looks at the fields, and they stay packed.
        if !isRecorded, let shape = system.shape(ofEvent: try call.string(number)),
            let event = Self.packed(call, at: number, shape)
        {
            return event
        }
        let declaration = system.declaration
        return try Self.read(call, at: number, "me:emit", of: declaration.name, among: declaration.events)
    }

    /// Returns an event whose fields and raw form are plain; nil for any other.
    private static func packed(_ call: borrowing LuaCall, at number: Int, _ shape: EventShape) -> ChatEvent? {
        let (fields, raw) = (number + 1, number + 2)
        guard call.kind(raw) != .null else { return nil }
        var form = PackedFields.Raw.none
        if !call.isNil(raw),
            let field = shape.openFields.first(where: { call.isArgument(raw, inTable: fields, named: $0) })
        {
            form = .field(field)
        }
        let isOther = if case .none = form { !call.isNil(raw) } else { false }
        guard let packed = PackedArguments(call, fields, shaped: shape.table, with: isOther ? raw : nil) else {
            return nil
        }
        if isOther { form = .value(at: UInt32(packed.other)) }
        return ChatEvent(shape.kind, packed: PackedFields(packed.values, raw: form, count: packed.count))
    }

    /// Returns the event that `emit` is given: a name, fields and a raw form.
    static func read(
        _ call: borrowing LuaCall, at number: Int, _ name: String, of owner: String, among events: [EventDeclaration]
    ) throws(HostError) -> ChatEvent {
        let kind = try call.string(number)
        guard let declaration = events.first(where: { $0.kind.rawValue == kind }) else {
            let known = events.map(\.kind.rawValue)
            throw HostError.usage(
                "\(name): \(owner) declares no event \"\(kind)\""
                    + TextDistance.hint(kind, among: known, listing: "it has"))
        }
        let members = MemberTable(
            call: CallName(function: "event", word: kind), declared: declaration.fields, member: "field",
            isSentByPeer: true)
        let fields = try members.read(number + 1, of: call)
        // Often the raw form is a field as well, and need not be read twice.
        for place in declaration.fields.indices {
            let field = declaration.fields[place].name
            guard case .json = declaration.fields[place].type,
                call.isArgument(number + 2, inTable: number + 1, named: field), fields[field] != nil
            else { continue }
            return ChatEvent(declaration.kind, fields, rawField: field)
        }
        let raw = call.isNil(number + 2) ? nil : try call.json(number + 2, sentByPeer: true)
        return ChatEvent(declaration.kind, fields, raw: raw)
    }
}
