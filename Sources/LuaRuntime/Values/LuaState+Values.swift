internal import CLua
internal import JSON
internal import LuaBridge

extension LuaState {
    func push(_ text: String, on thread: OpaquePointer) {
        var text = text
        text.withUTF8 { bytes in
            _ = unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe lua_pushlstring(thread, $0.baseAddress, $0.count)
            }
        }
    }

    func push(_ bytes: some Sequence<UInt8>, on thread: OpaquePointer) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            _ = unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe lua_pushlstring(thread, $0.baseAddress, $0.count)
            }
        }
        if isDone == nil { unsafe self.push(Array(bytes), on: thread) }
    }

    func push(_ reference: LuaReference, on thread: OpaquePointer) {
        precondition(reference.anchors === self.anchors, "a reference belongs to another Lua state")
        _ = unsafe lua_rawgeti(thread, registryIndex, lua_Integer(reference.anchor))
    }

    /// The fault of a script whose stack has no room for what the engine wants to hand over.
    static let fullStack = LuaFault("the stack of the script is full: its calls nest too deeply", kind: "stack")

    /// Pushes values, or nothing where the stack has no room for them.
    func push(_ values: [LuaValue], on thread: OpaquePointer) -> Bool {
        guard unsafe lua_checkstack(thread, Int32(clamping: values.count + 8)) != 0 else { return false }
        for value in values { unsafe self.push(value, on: thread) }
        return true
    }

    func push(_ value: LuaValue, on thread: OpaquePointer) {
        switch value {
        case .nil: unsafe lua_pushnil(thread)
        case .boolean(let value): unsafe lua_pushboolean(thread, value ? 1 : 0)
        case .integer(let value): unsafe lua_pushinteger(thread, value)
        case .number(let value): unsafe lua_pushnumber(thread, value)
        case .string(let text): unsafe self.push(text, on: thread)
        case .bytes(let bytes): unsafe self.push(bytes, on: thread)
        case .json(let value): unsafe self.push(value, on: thread)
        case .function(let slot): _ = unsafe lua_rawgeti(thread, registryIndex, lua_Integer(slot.anchor))
        case .handle(let object, let type): unsafe self.push(object, type, on: thread)
        case .reference(let reference): unsafe self.push(reference, on: thread)
        case .source(let source):
            _ = unsafe lua_checkstack(thread, 8)
            unsafe lua_createtable(thread, 0, Int32(clamping: source.memberCount))
            source.write(into: unsafe LuaTableWriter(state: self, thread: thread))
        case .list(let elements):
            _ = unsafe lua_checkstack(thread, 8)
            unsafe lua_createtable(thread, Int32(clamping: elements.count), 0)
            if elements.isEmpty { unsafe repartee_lua_mark_array(thread) }
            for (index, element) in elements.enumerated() {
                unsafe self.push(element, on: thread)
                unsafe lua_rawseti(thread, -2, lua_Integer(index + 1))
            }
        case .table(let fields):
            _ = unsafe lua_checkstack(thread, 8)
            unsafe lua_createtable(thread, 0, Int32(fields.count))
            for (name, value) in fields {
                unsafe self.push(name, on: thread)
                unsafe self.push(value, on: thread)
                unsafe lua_rawset(thread, -3)
            }
        }
    }

    func push(_ object: AnyObject, _ type: LuaHandleType, on thread: OpaquePointer) {
        _ = unsafe lua_rawgeti(thread, registryIndex, lua_Integer(self.handles.cacheAnchor))
        if let index = self.handles.index(of: object, type: type.number) {
            if unsafe lua_rawgeti(thread, -1, lua_Integer(index)) == LUA_TUSERDATA {
                unsafe lua_rotate(thread, -2, 1)
                unsafe lua_settop(thread, -2)
                return
            }
            unsafe lua_settop(thread, -2)
        }
        let index = unsafe self.pushNew(object, type, isShared: true, on: thread)
        unsafe lua_pushvalue(thread, -1)
        unsafe lua_rawseti(thread, -3, lua_Integer(index))
        unsafe lua_rotate(thread, -2, 1)
        unsafe lua_settop(thread, -2)
    }

    /// Pushes a new handle; one that is not shared is not found again by its object.
    @discardableResult func pushNew(
        _ object: AnyObject, _ type: LuaHandleType, isShared: Bool, on thread: OpaquePointer
    ) -> UInt32 {
        let entry = self.handles.insert(object, type: type.number, isShared: isShared)
        _ = unsafe lua_rawgeti(thread, registryIndex, lua_Integer(self.types[Int(type.number)].anchor))
        unsafe repartee_lua_push_handle(thread, type.number, entry.index, entry.generation)
        return entry.index
    }

    /// Returns the bytes of a string; the pointer is valid as long as the value stays on the stack.
    func bytes(at index: Int32, of thread: OpaquePointer) -> UnsafeBufferPointer<UInt8> {
        var count = 0
        let start = unsafe lua_tolstring(thread, index, &count)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe bytes.assumingMemoryBound(to: UInt8.self)
    }

    /// Returns a string if it is valid UTF-8.
    func text(at index: Int32, of thread: OpaquePointer) -> String? {
        let bytes = unsafe self.bytes(at: index, of: thread)
        if bytes.count > 4096 { _ = unsafe repartee_lua_spend(thread, Int64(bytes.count / 16)) }
        // Most strings are ASCII, and for these the general check costs more than all the rest of a call.
        guard unsafe bytes.allSatisfy({ $0 < 0x80 }) else { return unsafe String(validating: bytes, as: UTF8.self) }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Reads any value.
    func value(at index: Int32, of thread: OpaquePointer, environment: LuaEnvironment?) -> LuaValue {
        switch unsafe lua_type(thread, index) {
        case LUA_TNIL, LUA_TNONE: return .nil
        case LUA_TBOOLEAN: return .boolean(unsafe lua_toboolean(thread, index) != 0)
        case LUA_TNUMBER:
            if unsafe lua_isinteger(thread, index) != 0 { return .integer(unsafe lua_tointegerx(thread, index, nil)) }
            return .number(unsafe lua_tonumberx(thread, index, nil))
        case LUA_TSTRING:
            if let text = unsafe self.text(at: index, of: thread) { return .string(text) }
            return unsafe .bytes(Array(self.bytes(at: index, of: thread)))
        case LUA_TLIGHTUSERDATA: return .json(.null)
        case LUA_TUSERDATA:
            guard let handle = unsafe repartee_lua_to_handle(thread, index),
                let object = unsafe self.handles.object(handle.pointee)
            else { return .nil }
            let type = unsafe handle.pointee.type
            return .handle(object, LuaHandleType(number: type, name: self.types[Int(type)].name))
        default: return .reference(unsafe self.reference(at: index, of: thread, environment: environment))
        }
    }

    /// Anchors any value.
    func reference(at index: Int32, of thread: OpaquePointer, environment: LuaEnvironment?) -> LuaReference {
        let kind: LuaReference.Kind =
            switch unsafe lua_type(thread, index) {
            case LUA_TTABLE: .table
            case LUA_TFUNCTION: .function
            case LUA_TTHREAD: .thread
            default: .other
            }
        _ = unsafe lua_checkstack(thread, 4)
        unsafe lua_pushvalue(thread, index)
        return LuaReference(
            anchor: unsafe self.anchorTop(of: thread), kind: kind, environment: environment, anchors: self.anchors)
    }
}
