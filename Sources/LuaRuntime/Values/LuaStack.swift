internal import CLua
internal import JSON
internal import LuaBridge

/// The values on the stack of one thread of Lua: the engine pushes there what it hands over, and reads what scripts
/// have.
///
/// Making one costs nothing. Only a state and what runs in it make them, so the state is there as long as they are.
@safe struct LuaStack {
    /// Not counted: each call of a host function would feel a count of references.
    private unowned(unsafe) let owner: LuaState
    let thread: OpaquePointer

    init(_ thread: OpaquePointer, of state: LuaState) {
        unsafe self.owner = state
        unsafe self.thread = thread
    }

    /// The state that the thread belongs to.
    var state: LuaState { unsafe self.owner }

    /// The fault of a script whose stack has no room for what the engine wants to hand over.
    static let full = HostError("the stack of the script is full: its calls nest too deeply", kind: "stack")

    // MARK: Pushing

    func push(_ text: String) {
        var text = text
        text.withUTF8 { unsafe self.push(utf8: $0) }
    }

    func push(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        _ = unsafe bytes.withMemoryRebound(to: CChar.self) {
            unsafe lua_pushlstring(self.thread, $0.baseAddress, $0.count)
        }
    }

    /// Pushes a name of the engine's own, which Lua finds again by where it lies in the program.
    func push(name: StaticString) {
        _ = unsafe lua_pushstring(
            self.thread, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    func push(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { unsafe self.push(utf8: $0) }
        if isDone == nil { self.push(Array(bytes)) }
    }

    func push(_ reference: LuaReference) {
        precondition(reference.anchors === self.state.anchors, "a reference belongs to another Lua state")
        self.pushAnchored(reference.anchor)
    }

    /// Pushes what a slot of the registry holds.
    func pushAnchored(_ anchor: Int32) {
        _ = unsafe lua_rawgeti(self.thread, registryIndex, lua_Integer(anchor))
    }

    /// Pushes values, or nothing where the stack has no room for them.
    func push(_ values: [LuaValue]) -> Bool {
        guard unsafe lua_checkstack(self.thread, Int32(clamping: values.count + 8)) != 0 else { return false }
        for value in values { self.push(value) }
        return true
    }

    func push(_ value: LuaValue) {
        switch value {
        case .nil: unsafe lua_pushnil(self.thread)
        case .boolean(let value): unsafe lua_pushboolean(self.thread, value ? 1 : 0)
        case .integer(let value): unsafe lua_pushinteger(self.thread, value)
        case .number(let value): unsafe lua_pushnumber(self.thread, value)
        case .string(let text): self.push(text)
        case .bytes(let bytes): self.push(bytes)
        case .json(let value): self.push(value)
        case .function(let slot): self.pushAnchored(slot.anchor)
        case .handle(let object, let type): self.push(object, type)
        case .reference(let reference): self.push(reference)
        case .source(let source):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, 0, Int32(clamping: source.memberCount))
            source.write(into: LuaTableWriter(stack: self))
        case .list(let elements):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, Int32(clamping: elements.count), 0)
            if elements.isEmpty { unsafe repartee_lua_mark_array(self.thread) }
            for (index, element) in elements.enumerated() {
                self.push(element)
                unsafe lua_rawseti(self.thread, -2, lua_Integer(index + 1))
            }
        case .table(let fields):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, 0, Int32(clamping: fields.count))
            for (name, value) in fields {
                self.push(name)
                self.push(value)
                unsafe lua_rawset(self.thread, -3)
            }
        }
    }

    func push(_ object: AnyObject, _ type: LuaHandleType) {
        let handles = self.state.handles
        self.pushAnchored(handles.cacheAnchor)
        if let index = handles.index(of: object, type: type.number) {
            if unsafe lua_rawgeti(self.thread, -1, lua_Integer(index)) == LUA_TUSERDATA {
                unsafe lua_rotate(self.thread, -2, 1)
                unsafe lua_settop(self.thread, -2)
                return
            }
            unsafe lua_settop(self.thread, -2)
        }
        let index = self.pushNew(object, type, isShared: true)
        unsafe lua_pushvalue(self.thread, -1)
        unsafe lua_rawseti(self.thread, -3, lua_Integer(index))
        unsafe lua_rotate(self.thread, -2, 1)
        unsafe lua_settop(self.thread, -2)
    }

    /// Pushes a new handle; one that is not shared is not found again by its object.
    @discardableResult func pushNew(_ object: AnyObject, _ type: LuaHandleType, isShared: Bool) -> UInt32 {
        let handles = self.state.handles
        let entry = handles.insert(object, type: type.number, isShared: isShared)
        self.pushAnchored(handles.types[Int(type.number)].anchor)
        unsafe repartee_lua_push_handle(self.thread, type.number, entry.index, entry.generation)
        return entry.index
    }

    /// Raises a fault: pushes the error object that stands for it.
    func push(_ fault: HostError) {
        _ = unsafe lua_checkstack(self.thread, 8)
        let raised = RaisedError(fault, traceback: unsafe fault.keepsCalls ? LuaFrame.calls(on: self.thread) : [])
        if fault.isFinal, let coroutine = self.state.currentCoroutine { coroutine.final = coroutine.final ?? raised }
        self.pushNew(raised, fault.isFinal ? RaisedError.finalType : RaisedError.type, isShared: false)
    }

    /// Pushes what a suspended function goes on with, and how the bridge takes it.
    ///
    /// - Returns: How many values these are.
    func push(resultOfWait result: Result<LuaValue, HostError>?) -> Int32 {
        switch result {
        case nil:
            unsafe lua_pushinteger(self.thread, 0)
            return 1
        case .success(let value)?:
            guard unsafe lua_checkstack(self.thread, 8) != 0 else {
                return self.push(resultOfWait: .failure(Self.full))
            }
            self.push(value)
            unsafe lua_pushinteger(self.thread, 1)
            return 2
        case .failure(let fault)?:
            // A C function that waits has the room for this in any case.
            self.push(fault)
            unsafe lua_pushinteger(self.thread, lua_Integer(REPARTEE_LUA_RAISE))
            return 2
        }
    }

    // MARK: Reading

    /// Returns the bytes of a string; the pointer is valid as long as the value stays on the stack.
    func bytes(at index: Int32) -> UnsafeBufferPointer<UInt8> {
        var count = 0
        let start = unsafe lua_tolstring(self.thread, index, &count)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe bytes.assumingMemoryBound(to: UInt8.self)
    }

    /// Returns a string if it is valid UTF-8.
    func text(at index: Int32) -> String? {
        let bytes = unsafe self.bytes(at: index)
        if bytes.count > 4096 { _ = unsafe repartee_lua_spend(self.thread, Int64(bytes.count / 16)) }
        // Most strings are ASCII, and for these the general check costs more than all the rest of a call.
        guard unsafe bytes.isASCII else { return unsafe String(validating: bytes, as: UTF8.self) }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text that a table has under a name, if that is all it has and it has no metatable.
    func onlyText(at table: Int32, named name: StaticString) -> String? {
        guard unsafe lua_checkstack(self.thread, 4) != 0 else { return nil }
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        if unsafe lua_getmetatable(self.thread, table) != 0 { return nil }
        unsafe lua_pushnil(self.thread)
        guard unsafe repartee_lua_traverse(self.thread, table) != 0, unsafe lua_type(self.thread, -2) == LUA_TSTRING,
            unsafe lua_type(self.thread, -1) == LUA_TSTRING, unsafe Self.isEqual(self.bytes(at: -2), name),
            let text = self.text(at: top + 2)
        else { return nil }
        unsafe lua_settop(self.thread, -2)
        return unsafe repartee_lua_traverse(self.thread, table) == 0 ? text : nil
    }

    private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        bytes.count == name.utf8CodeUnitCount
            && bytes.indices.allSatisfy { unsafe bytes[$0] == name.utf8Start[$0] }
    }

    /// Reads any value.
    ///
    /// - Parameter environment: That of the script which hands it over, for what is held on to.
    func value(at index: Int32, environment: LuaEnvironment?) -> LuaValue {
        switch unsafe lua_type(self.thread, index) {
        case LUA_TNIL, LUA_TNONE: return .nil
        case LUA_TBOOLEAN: return .boolean(unsafe lua_toboolean(self.thread, index) != 0)
        case LUA_TNUMBER:
            if unsafe lua_isinteger(self.thread, index) != 0 {
                return .integer(unsafe lua_tointegerx(self.thread, index, nil))
            }
            return .number(unsafe lua_tonumberx(self.thread, index, nil))
        case LUA_TSTRING:
            if let text = self.text(at: index) { return .string(text) }
            return unsafe .bytes(Array(self.bytes(at: index)))
        case LUA_TLIGHTUSERDATA: return .json(.null)
        case LUA_TUSERDATA:
            let handles = self.state.handles
            guard let handle = unsafe repartee_lua_to_handle(self.thread, index),
                let object = unsafe handles.object(handle.pointee)
            else { return .nil }
            let type = unsafe handle.pointee.type
            return .handle(object, LuaHandleType(number: type, name: handles.types[Int(type)].name))
        default: return .reference(self.reference(at: index, environment: environment))
        }
    }

    /// Reads the values from a place to the top, and takes them off.
    func takeValues(from first: Int32, environment: LuaEnvironment?) -> [LuaValue] {
        let values = (first..<(unsafe lua_gettop(self.thread) + 1)).map {
            self.value(at: $0, environment: environment)
        }
        unsafe lua_settop(self.thread, first - 1)
        return values
    }

    /// Lets a table find its members, whose names are in lower case, by any spelling.
    func ignoreCase(at index: Int32) {
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { return }
        self.completeDocument(at: index)
        unsafe lua_pushvalue(self.thread, index)
        unsafe repartee_lua_ignore_case(self.thread)
        unsafe lua_settop(self.thread, -2)
    }

    /// Holds on to any value.
    ///
    /// - Parameter environment: That of the script which hands it over.
    func reference(at index: Int32, environment: LuaEnvironment?) -> LuaReference {
        let kind: LuaReference.Kind =
            switch unsafe lua_type(self.thread, index) {
            case LUA_TTABLE: .table
            case LUA_TFUNCTION: .function
            case LUA_TTHREAD: .thread
            default: .other
            }
        _ = unsafe lua_checkstack(self.thread, 4)
        unsafe lua_pushvalue(self.thread, index)
        return LuaReference(
            anchor: self.anchorTop(), kind: kind, environment: environment, anchors: self.state.anchors)
    }

    /// Moves the value on top into a slot of the registry.
    func anchorTop() -> Int32 {
        unsafe luaL_ref(self.thread, registryIndex)
    }
}

extension LuaStack {
    func push(_ value: JSONValue) {
        switch value {
        case .null: unsafe repartee_lua_push_null(self.thread)
        case .bool(let value): unsafe lua_pushboolean(self.thread, value ? 1 : 0)
        case .integer(let value): unsafe lua_pushinteger(self.thread, value)
        case .double(let value): unsafe lua_pushnumber(self.thread, value)
        case .numeral(let text):
            // Lua has no greater numbers: what it cannot hold is math.huge, as the same digits in a script are.
            unsafe lua_pushnumber(self.thread, Double(text) ?? .infinity)
        case .string(let text): self.push(text)
        case .array(let elements):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, Int32(clamping: elements.count), 0)
            if elements.isEmpty { unsafe repartee_lua_mark_array(self.thread) }
            for (index, element) in elements.enumerated() {
                self.push(element)
                unsafe lua_rawseti(self.thread, -2, lua_Integer(index + 1))
            }
        case .object(let members):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, 0, Int32(clamping: members.count))
            for (name, member) in members {
                self.push(name)
                self.push(member)
                unsafe lua_rawset(self.thread, -3)
            }
        }
    }

    /// Reads a value as JSON; what JSON cannot hold is asked of `embed`.
    func json(
        at index: Int32, embedding embed: JSONEmbedding? = nil, sentByPeer: Bool = false, inherited: InheritedMembers
    ) throws(HostError) -> JSONValue {
        let limit = self.state.limits.jsonValues
        var reader = JSONTableReader(stack: self, embed: embed, isSentByPeer: sentByPeer, inherited: inherited)
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        let value: JSONValue
        do throws(JSONTableReader.Failure) {
            value = try reader.read(at: unsafe lua_absindex(self.thread, index))
        } catch {
            throw error.fault
        }
        let count = limit - reader.valuesLeft
        if count > 64 { _ = unsafe repartee_lua_spend(self.thread, Int64(count) * 8) }
        return value
    }
}

extension LuaStack {
    /// Gives a table that keeps a document the members that it stands for: `json` and `raw` of a text, see
    /// ``LuaTableWriter/set(document:)``, those of a table, see ``LuaCall/pushSealed(_:)``, or those of a
    /// ``PackedTable``. Members that the script has set itself stay as they are.
    func completeDocument(at index: Int32) {
        let table = unsafe lua_absindex(self.thread, index)
        guard unsafe lua_checkstack(self.thread, 8) != 0,
            unsafe repartee_lua_take_document(self.thread, table) != 0
        else { return }
        let document = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, document - 1) }
        if let packed = unsafe repartee_lua_taken_packed(self.thread) {
            return unsafe self.unpack(PackedTable(packed), into: table)
        }
        if unsafe lua_type(self.thread, document) == LUA_TTABLE { return self.addMembers(of: document, to: table) }
        let text = unsafe self.bytes(at: document)
        _ = unsafe repartee_lua_spend(self.thread, Int64(text.count))
        do throws(JSONSyntaxError) {
            try unsafe self.pushJSON(text, refusingRepetition: true)
            self.setAbsent("json", at: table)
        } catch {
            unsafe lua_pushvalue(self.thread, document)
        }
        // Null is what the wire form of an event is where nothing arrived.
        guard unsafe repartee_lua_is_null(self.thread, -1) == 0 else { return }
        self.setAbsent("raw", at: table)
    }

    /// Gives a table the members of another one that it does not have itself.
    private func addMembers(of other: Int32, to table: Int32) {
        self.completeDocument(at: other)
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, other) != 0 {
            let name = unsafe lua_gettop(self.thread) - 1
            unsafe lua_pushvalue(self.thread, name)
            if unsafe lua_rawget(self.thread, table) == LUA_TNIL {
                unsafe lua_pushvalue(self.thread, name)
                unsafe lua_pushvalue(self.thread, name + 1)
                unsafe lua_rawset(self.thread, table)
            }
            unsafe lua_settop(self.thread, name)
        }
    }

    /// Sets a member of a table to the value on top, which stays there, unless the table has the member.
    private func setAbsent(_ name: StaticString, at table: Int32) {
        self.push(name: name)
        unsafe lua_pushvalue(self.thread, -1)
        guard unsafe lua_rawget(self.thread, table) == LUA_TNIL else { return unsafe lua_settop(self.thread, -3) }
        unsafe lua_settop(self.thread, -2)
        unsafe lua_pushvalue(self.thread, -2)
        unsafe lua_rawset(self.thread, table)
    }
}
