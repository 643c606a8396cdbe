public import JSON

/// The members of an object as a table that refuses to be asked for a misspelt one.
///
/// In a plain table that would be nil, and an expectation about a nil field asks for nothing.
public struct NamedMembers: LuaTableSource {
    private let members: JSONObject
    private let guardian: MemberGuard
    private let tables: [String: NamedMembers]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - members: What is in it.
    ///   - guardian: The names that may be asked for.
    ///   - tables: The members that are such tables themselves.
    public init(_ members: JSONObject, _ guardian: MemberGuard, tables: [String: NamedMembers] = [:]) {
        self.members = members
        self.guardian = guardian
        self.tables = tables
    }

    /// How many members there are.
    public var memberCount: Int { self.members.count }

    /// Writes the members.
    public func write(into table: borrowing LuaTableWriter) {
        for (name, value) in self.members {
            table.set(name, to: self.tables[name].map { LuaValue.source($0) } ?? LuaValue.json(value))
        }
        table.refuseMisspelt(self.guardian)
    }
}
