/// Something that becomes a table of named members when it is handed to a script.
///
/// It is written straight into the table, where ``LuaValue/table(_:)`` would need a list of the members first.
public protocol LuaTableSource {
    /// About how many members there are.
    var memberCount: Int { get }

    /// Writes the members.
    func write(into table: borrowing LuaTableWriter)
}
