import JSON
import LuaRuntime
import Machines

extension NamedMembers {
    /// A row of data with these columns, as scripts see it; rows that are no tables stay what they are.
    static func row(_ value: JSONValue, columns: [String], in engine: ScriptEngine) -> LuaValue {
        guard let members = value.object else { return .json(value) }
        return .source(Self.row(members, columns, engine))
    }

    private static func row(_ members: JSONObject, _ columns: [String], _ engine: ScriptEngine) -> NamedMembers {
        NamedMembers(members, engine.memberGuard(of: "the row", names: columns, isClosed: true))
    }

    /// Who plays a scenario, as `t.user` shows it.
    static func user(_ members: JSONObject, rowColumns: [String], in engine: ScriptEngine) -> NamedMembers {
        var tables: [String: NamedMembers] = [:]
        if let row = members["row"]?.object { tables["row"] = Self.row(row, rowColumns, engine) }
        if let room = members["room"]?.object {
            let names = engine.memberGuard(of: "the room", names: room.names, isClosed: true)
            tables["room"] = NamedMembers(room, names)
        }
        // Scripts keep things of their own in this table, so it may be asked for names that are not there yet.
        return NamedMembers(
            members, engine.memberGuard(of: "t.user", names: LanguageReference.userMembers.map(\.name)), tables: tables)
    }

    /// What a comparison captured; nil if it captured nothing.
    static func captured(_ captures: JSONObject, by matcher: Matcher, in engine: ScriptEngine) -> NamedMembers? {
        guard !captures.isEmpty else { return nil }
        return NamedMembers(
            captures, engine.memberGuard(of: "captures", names: matcher.captureNames, isClosed: true))
    }
}
