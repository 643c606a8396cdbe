public import JSON

/// The columns that rows of data have together.
public enum RowColumns {
    /// Returns the names of all members that at least one of some rows has, in the order in which they come.
    ///
    /// A row may leave some out; what no row has is a misspelt name.
    public static func names(of rows: [JSONValue]) -> [String] {
        var known: Set<String> = []
        return rows.flatMap { $0.object?.names.filter { known.insert($0).inserted } ?? [] }
    }
}
