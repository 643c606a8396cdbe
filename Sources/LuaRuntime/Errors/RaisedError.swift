internal import JSON
internal import LuaBridge

/// A fault on its way through a script: what the error object there stands for.
final class RaisedError {
    let fault: HostError
    let position: LuaPosition?
    let traceback: [LuaFrame]

    init(_ fault: HostError, traceback: [LuaFrame]) {
        self.fault = fault
        self.traceback = traceback
        self.position = traceback.first?.position
    }

    /// The type of error objects, the first that each state registers.
    static let type = LuaHandleType(number: 0, name: "error")

    /// The type of those that a script cannot catch, by which the bridge knows them.
    static let finalType = LuaHandleType(number: UInt32(REPARTEE_LUA_TYPE_FINAL), name: "error")

    /// Whether an error object stands on a stack.
    static func stands(at index: Int32, of thread: OpaquePointer) -> Bool {
        guard let handle = unsafe repartee_lua_to_handle(thread, index) else { return false }
        let number = unsafe handle.pointee.type
        return number == Self.type.number || number == Self.finalType.number
    }

    /// What a script can do with an error object: read its fields, and turn it into text.
    static func declaration(of type: LuaHandleType) -> LuaHandleDeclaration {
        let member = HostFunction("error", parameters: ["field"]) { (call) throws(HostError) in
            let raised = try call.receiver(of: type, as: RaisedError.self)
            switch try call.string(1) {
            case "message": call.push(raised.fault.message)
            case "kind": call.push(raised.fault.kind)
            case "file": call.push(raised.position?.file)
            case "line": call.push((raised.position?.line).map(Int64.init))
            case let name:
                if let value = raised.fault.fields[name] { call.push(value) } else { call.pushNil() }
            }
            return .returns
        }
        return LuaHandleDeclaration(name: "error", methods: [], member: member) { object in
            guard let raised = object as? RaisedError else { return "error" }
            return raised.position.map { "\($0): \(raised.fault.message)" } ?? raised.fault.message
        }
    }
}
