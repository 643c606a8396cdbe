internal import JSON

/// A name that a script reads and that is not there.
public struct UndefinedName: Sendable {
    /// Where it was looked for.
    public enum Place: Hashable, Sendable {
        /// The global names of a script.
        case globals
        /// A library, such as `match`, which has all that it will ever have.
        case library(String)
        /// A table of named members, some of which may be absent, by what it is; a closed one can have no others than
        /// those that are known.
        case members(of: String, isClosed: Bool)
    }

    /// The name of the global or of the member.
    public let name: String

    /// Where it was looked for.
    public let place: Place

    /// Those that the place knows in no order: globals, local variables and functions of the engine, or members.
    public let known: [String]

    /// Creates a name.
    public init(_ name: String, of place: Place = .globals, among known: [String]) {
        self.name = name
        self.place = place
        self.known = known
    }

    /// Reads what the bridge asks with: the names that are known, the name, and the library or what the table is and
    /// whether it is closed.
    init(_ call: borrowing LuaCall) throws(HostError) {
        let place: Place
        if let library = try call.optionalString(3) {
            place = .library(library)
        } else {
            let isClosed = call.isTruthy(5)
            place = try call.optionalString(4).map { .members(of: $0, isClosed: isClosed) } ?? .globals
        }
        self.init(try call.string(2), of: place, among: try call.json(1).array?.compactMap(\.string) ?? [])
    }
}
