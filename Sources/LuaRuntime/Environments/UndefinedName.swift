internal import JSON

/// A name that a script reads and nobody has assigned.
public struct UndefinedName: Sendable {
    /// The name of the global, or of the member of a library.
    public let name: String

    /// The library that has no such member, such as `match`; nil if it is a global.
    public let library: String?

    /// Those that the place knows in no order: globals, local variables and functions of the engine, or the members of
    /// the library.
    public let known: [String]

    /// Creates a name.
    public init(_ name: String, of library: String? = nil, among known: [String]) {
        self.name = name
        self.library = library
        self.known = known
    }

    /// Reads what the bridge asks with: the names that are known, the name, and the library.
    init(_ call: borrowing LuaCall) throws(LuaFault) {
        self.init(
            try call.string(2), of: try call.optionalString(3),
            among: try call.json(1).array?.compactMap(\.string) ?? [])
    }
}
