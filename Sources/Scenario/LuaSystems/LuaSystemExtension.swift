import JSON

/// What a system declares that extends another one.
enum LuaSystemExtension {
    /// What names one system, or says as a whole how its links are read.
    private static let ownMembers: Set<String> = ["name", "title", "frames"]

    /// Returns the declaration of a system with what another one has declared: lists such as `noise` go on, and of what
    /// has a name, such as the fields of an event, its own counts.
    ///
    /// - Parameters:
    ///   - own: What the script declares.
    ///   - base: What the system has that it extends.
    static func table(_ own: JSONObject, extending base: JSONObject) -> JSONObject {
        var table = own
        for (name, value) in base where name != "name" && name != "title" {
            table[name] = Self.ownMembers.contains(name) ? own[name] ?? value : Self.joined(own[name], extending: value)
        }
        // What the other one says it lacks may be what this one is for.
        if let absences = table["absences"]?.object, let events = table["events"]?.object {
            table["absences"] = .object(JSONObject(absences.filter { events[$0.0] == nil }))
        }
        return table
    }

    private static func joined(_ own: JSONValue?, extending base: JSONValue) -> JSONValue {
        switch (own, base) {
        case (nil, _): return base
        case (.array(let own)?, .array(let base)): return .array(base + own)
        case (.object(let own)?, .object(var base)):
            for (name, value) in own { base[name] = base[name].map { Self.joined(value, extending: $0) } ?? value }
            return .object(base)
        case (let own?, _): return own
        }
    }
}
