internal import CLua
public import JSON
internal import LuaBridge

/// A table, function or thread of a script that the engine holds on to; it is let go with this object.
public final class LuaReference {
    /// What kind of value is held.
    public enum Kind: Hashable, Sendable {
        /// A table.
        case table
        /// A function, of the script or of the host.
        case function
        /// A coroutine.
        case thread
        /// Anything else, such as a userdata of a library.
        case other
    }

    /// What kind of value is held.
    public let kind: Kind

    /// The environment whose script handed it over, where that is known.
    public let environment: LuaEnvironment?

    let anchor: Int32
    let anchors: AnchorPool

    init(anchor: Int32, kind: Kind, environment: LuaEnvironment?, anchors: AnchorPool) {
        self.anchor = anchor
        self.kind = kind
        self.environment = environment
        self.anchors = anchors
    }

    deinit {
        self.anchors.released.append(self.anchor)
    }

    /// The main stack of the state that holds it; nil once that is closed.
    var stack: LuaStack? { unsafe self.anchors.state?.mainStack }

    /// Whether it is a table that nothing has looked at since it was sealed; see ``LuaCall/pushSealed(_:)``.
    public var isSealed: Bool {
        guard self.kind == .table, let stack = self.stack, unsafe lua_checkstack(stack.thread, 4) != 0 else {
            return false
        }
        stack.push(self)
        defer { unsafe lua_settop(stack.thread, -2) }
        return unsafe repartee_lua_has_document(stack.thread, -1) != 0
    }

    /// Returns a table as JSON.
    ///
    /// - Throws: ``HostError`` that names what JSON cannot express.
    public func json() throws(HostError) -> JSONValue {
        guard let stack = self.stack else { throw HostError(LuaError.closed) }
        stack.push(self)
        defer { unsafe lua_settop(stack.thread, -2) }
        return try stack.json(at: -1, inherited: .methods)
    }
}
