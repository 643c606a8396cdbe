import JSON
import LuaRuntime

/// The headers of an event as scripts see them: names in lower case, which are found by any spelling.
///
/// In a plain table a header in its usual spelling would be nil, as if it had not been sent.
struct HeaderTable: LuaTableSource {
    let headers: JSONObject

    var memberCount: Int { self.headers.count }

    func write(into table: borrowing LuaTableWriter) {
        for (name, value) in self.headers { table.set(name, to: value) }
        table.ignoreCase()
    }
}
