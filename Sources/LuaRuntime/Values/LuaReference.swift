internal import CLua
public import JSON
internal import LuaBridge

/// A table, function or thread of a script that the engine holds on to; it is let go with this object.
public final class LuaReference {
    /// What kind of value is held.
    public enum Kind: Hashable, Sendable {
        case table
        case function
        case thread
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

    /// The name under which a function of the host was registered; nil for anything else.
    public var hostName: String? {
        guard let state = unsafe self.anchors.state, let main = unsafe state.main,
            unsafe lua_checkstack(main, 4) != 0
        else { return nil }
        unsafe state.push(self, on: main)
        let slot = unsafe repartee_lua_host_slot(main, -1)
        unsafe lua_settop(main, -2)
        guard slot >= 0, let functions = unsafe state.host.pointee.functions else { return nil }
        let registered = unsafe functions.assumingMemoryBound(to: Unmanaged<RegisteredFunction>.self)
        return unsafe registered[Int(slot)].takeUnretainedValue().function.name
    }

    /// Returns a table as JSON.
    ///
    /// - Throws: ``LuaFault`` that names what JSON cannot express.
    public func json() throws(LuaFault) -> JSONValue {
        guard let state = unsafe self.anchors.state else { throw LuaFault(LuaError.closed) }
        return try state.json(of: self)
    }
}

/// The registry slots of a state that references have let go but that are not free yet.
///
/// A reference may go away in the middle of anything, such as a collection; its slot is freed at a safe point.
final class AnchorPool {
    var released: [Int32] = []
    /// Nil once the state is closed, which its deinitializer does as well: safe without a count of references.
    ///
    /// A weak reference would make every retain of the state slow, which each call of a host function would feel.
    unowned(unsafe) var state: LuaState?
}
