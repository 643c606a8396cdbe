/// What a plain table must be like: which members it may have, and of which kinds.
public struct TableShape: Sendable {
    /// A kind of value that is told by its type in Lua alone.
    public enum Kind: Sendable {
        case text
        case integer
        case number
        case boolean
        /// Any value that is plain.
        case any
    }

    /// A member that a table may have.
    public struct Member: Sendable {
        let name: [UInt8]
        let kind: Kind
        let isOptional: Bool

        /// Creates a member.
        ///
        /// - Parameter isOptional: Whether it may be absent, or null.
        public init(_ name: String, _ kind: Kind, isOptional: Bool) {
            self.name = Array(name.utf8)
            self.kind = kind
            self.isOptional = isOptional
        }
    }

    /// In the order of their names, byte by byte.
    let members: [Member]

    /// Creates a shape of members, whose names are all different.
    public init(_ members: [Member]) {
        self.members = members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }
}
