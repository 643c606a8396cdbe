internal import CLua
public import JSON
internal import LuaBridge

extension LuaCall {
    /// Returns what kind of value an argument is.
    public func kind(_ number: Int) -> LuaArgumentKind {
        let index = self.index(number)
        guard index >= 1, index <= self.top else { return .absent }
        switch unsafe lua_type(self.thread, index) {
        case LUA_TNIL: return .nil
        case LUA_TBOOLEAN: return .boolean
        case LUA_TNUMBER: return unsafe lua_isinteger(self.thread, index) != 0 ? .integer : .number
        case LUA_TSTRING: return .string
        case LUA_TTABLE: return .table
        case LUA_TFUNCTION: return .function
        case LUA_TTHREAD: return .thread
        case LUA_TLIGHTUSERDATA: return .null
        default: return .handle
        }
    }

    /// Whether an argument is absent or nil.
    public func isNil(_ number: Int) -> Bool {
        let kind = self.kind(number)
        return kind == .absent || kind == .nil
    }

    /// Makes the fault for an argument that is not what the function needs.
    ///
    /// - Parameter expected: What it must be, as in "a string".
    public func argumentFault(_ number: Int, expected: String) -> HostError {
        self.argumentFault(number, "must be \(expected), not \(self.description(of: number))")
    }

    /// Makes the fault for an argument, from what is wrong with it, as in "must not be empty".
    public func argumentFault(_ number: Int, _ complaint: String) -> HostError {
        if number == 1, let mistake = ColonMistake.find(in: self) { return mistake }
        return HostError.argument("\(self.name): \(self.function.label(ofArgument: number)) \(complaint)")
    }

    private func description(of number: Int) -> String {
        let kind = self.kind(number)
        guard kind == .handle, let handle = unsafe repartee_lua_to_handle(self.thread, self.index(number)) else {
            return kind.rawValue
        }
        return "an object of type \(self.state.handles.types[unsafe Int(handle.pointee.type)].name)"
    }

    /// Returns a string in UTF-8; numbers are not taken for strings.
    public func string(_ number: Int) throws(HostError) -> String {
        let index = self.index(number)
        guard self.kind(number) == .string else { throw self.argumentFault(number, expected: "a string") }
        guard let text = self.stack.text(at: index) else {
            throw self.argumentFault(number, "must be a string in UTF-8")
        }
        return text
    }

    /// Returns how many bytes a string argument has; 0 for anything else.
    public func byteCount(_ number: Int) -> Int {
        self.kind(number) == .string ? unsafe Int(lua_rawlen(self.thread, self.index(number))) : 0
    }

    /// Returns a string of any bytes.
    public func bytes(_ number: Int) throws(HostError) -> [UInt8] {
        guard self.kind(number) == .string else { throw self.argumentFault(number, expected: "a string") }
        return unsafe Array(self.stack.bytes(at: self.index(number)))
    }

    /// Returns an integer within bounds; a float with an integral value counts.
    public func integer(_ number: Int, in range: ClosedRange<Int64> = .min ... .max) throws(HostError) -> Int64 {
        let kind = self.kind(number)
        guard kind == .integer || kind == .number else { throw self.argumentFault(number, expected: "an integer") }
        var isInteger: Int32 = 0
        let value = unsafe lua_tointegerx(self.thread, self.index(number), &isInteger)
        guard isInteger != 0 else { throw self.argumentFault(number, "must be an integer, without a fraction") }
        guard range.contains(value) else {
            throw self.argumentFault(
                number, "must lie between \(range.lowerBound) and \(range.upperBound), and is \(value)")
        }
        return value
    }

    /// Returns a number.
    public func number(_ number: Int) throws(HostError) -> Double {
        let kind = self.kind(number)
        guard kind == .integer || kind == .number else { throw self.argumentFault(number, expected: "a number") }
        return unsafe lua_tonumberx(self.thread, self.index(number), nil)
    }

    /// Returns a boolean; other values are not taken for one.
    public func boolean(_ number: Int) throws(HostError) -> Bool {
        guard self.kind(number) == .boolean else { throw self.argumentFault(number, expected: "true or false") }
        return unsafe lua_toboolean(self.thread, self.index(number)) != 0
    }

    /// Whether Lua takes an argument for true.
    public func isTruthy(_ number: Int) -> Bool {
        let index = self.index(number)
        return unsafe index <= self.top && lua_toboolean(self.thread, index) != 0
    }

    /// Returns a string, or nil where none was given.
    public func optionalString(_ number: Int) throws(HostError) -> String? {
        self.isNil(number) ? nil : try self.string(number)
    }

    /// Returns an integer within bounds, or nil where none was given.
    public func optionalInteger(
        _ number: Int, in range: ClosedRange<Int64> = .min ... .max
    ) throws(HostError) -> Int64? {
        self.isNil(number) ? nil : try self.integer(number, in: range)
    }

    /// Returns an argument as JSON: sequences become arrays, other tables objects, nil and nothing null.
    ///
    /// - Parameters:
    ///   - number: The argument.
    ///   - embed: Says what stands for functions and objects of the engine; unless given, they are refused. Its faults
    ///     get the place in the table and stay what they are.
    ///   - sentByPeer: Whether it may hold what a peer sent: infinity stands as `1e999` for digits that no number of
    ///     Lua holds, and bytes that are not UTF-8 as `�xFF`.
    ///   - inherited: What tables may have from their metatables; those with more are refused.
    public func json(
        _ number: Int, embedding embed: JSONEmbedding? = nil, sentByPeer: Bool = false,
        inherited: InheritedMembers = .nothing
    ) throws(HostError) -> JSONValue {
        let kind = self.kind(number)
        if kind == .absent || kind == .nil { return .null }
        if kind == .string, let text = self.stack.text(at: self.index(number)) { return .string(text) }
        do {
            return try self.stack.json(
                at: self.index(number), embedding: embed, sentByPeer: sentByPeer, inherited: inherited)
        } catch {
            switch error.kind {
            case JSONTableReader.faultKind: throw self.argumentFault(number, "is not JSON: \(error.message)")
            case JSONTableReader.inheritanceKind:
                throw self.argumentFault(number, "is not plain data: \(error.message)")
            default: throw error
            }
        }
    }

    /// Returns the JSON text of an argument that is plain: a small table of short texts, numbers and such; nil for any
    /// other, of which ``json(_:embedding:sentByPeer:inherited:)`` says whether it is JSON at all.
    public func plainJSONText(_ number: Int) -> String? {
        guard !self.isNil(number) else { return nil }
        var encoder = TableEncoder(JSONTextSink(), of: self.stack)
        return encoder.write(at: self.index(number)) ? String(decoding: encoder.sink.bytes, as: UTF8.self) : nil
    }

    /// Returns an argument as JSON text, and throws as ``json(_:embedding:sentByPeer:inherited:)`` does.
    public func jsonText(_ number: Int) throws(HostError) -> String {
        if let text = self.plainJSONText(number) { return text }
        return try self.json(number, inherited: .methods).description
    }

    /// Returns a table of named fields as JSON; nil and nothing become an empty object.
    public func object(_ number: Int) throws(HostError) -> JSONObject {
        if self.isNil(number) { return [:] }
        guard let object = try self.json(number).object else {
            throw self.argumentFault(number, expected: "a table of named fields")
        }
        return object
    }

    /// Returns the text that a table argument has under a name, if that is all it has and nothing stands behind it.
    public func onlyText(_ number: Int, named name: StaticString) -> String? {
        self.kind(number) == .table ? self.stack.onlyText(at: self.index(number), named: name) : nil
    }

    /// Marks an argument as a metatable of the engine: what tables have by it is no part of what they say, and is lost
    /// to nobody where they are read as JSON.
    public func markMetatable(_ number: Int) throws(HostError) {
        guard self.kind(number) == .table, unsafe lua_checkstack(self.thread, 4) != 0 else {
            throw self.argumentFault(number, expected: "a metatable")
        }
        unsafe repartee_lua_mark_metatable(self.thread, self.index(number))
    }

    /// Lets a table argument find its members, whose names are in lower case, by any spelling.
    public func ignoreCase(_ number: Int) throws(HostError) {
        guard self.kind(number) == .table else { throw self.argumentFault(number, expected: "a table") }
        self.stack.ignoreCase(at: self.index(number))
    }

    /// Pushes an empty table that gets the members of a table argument once something looks at it, and returns a
    /// reference to it. It needs a metatable, whose `__index` asks `rawget`.
    public mutating func pushSealed(_ number: Int) throws(HostError) -> LuaReference {
        guard self.kind(number) == .table else { throw self.argumentFault(number, expected: "a table") }
        self.pushArgument(number)
        unsafe repartee_lua_seal(self.thread)
        return self.stack.reference(at: -1, environment: self.environment)
    }

    /// Whether a member of a table argument is the very value of another argument, past metatables.
    public func isArgument(_ number: Int, inTable table: Int, named name: String) -> Bool {
        guard self.kind(table) == .table, !self.isNil(number), unsafe lua_checkstack(self.thread, 4) != 0 else {
            return false
        }
        self.stack.push(name)
        _ = unsafe lua_rawget(self.thread, self.index(table))
        defer { unsafe lua_settop(self.thread, -2) }
        return unsafe lua_rawequal(self.thread, -1, self.index(number)) != 0
    }

    /// Returns a function that the engine may call or spawn later.
    public func function(_ number: Int) throws(HostError) -> LuaReference {
        guard self.kind(number) == .function else { throw self.argumentFault(number, expected: "a function") }
        return self.stack.reference(at: self.index(number), environment: self.environment)
    }

    /// Returns any argument to hold on to.
    public func reference(_ number: Int) -> LuaReference {
        let index = min(self.index(number), self.top + 1)
        if index > self.top { unsafe lua_pushnil(self.thread) }
        let reference = self.stack.reference(at: index, environment: self.environment)
        if index > self.top { unsafe lua_settop(self.thread, -2) }
        return reference
    }

    /// Returns any argument; tables and functions become references.
    public func value(_ number: Int) -> LuaValue {
        let index = self.index(number)
        guard index >= 1, index <= self.top else { return .nil }
        return self.stack.value(at: index, environment: self.environment)
    }

    /// Returns the object that a method was called on.
    public func receiver(of type: LuaHandleType) throws(HostError) -> AnyObject {
        guard self.top >= 1, let handle = unsafe repartee_lua_to_handle(self.thread, 1),
            unsafe handle.pointee.type == type.number,
            let object = unsafe self.state.handles.object(handle.pointee)
        else { throw self.receiverFault }
        return object
    }

    /// Returns the object that a method was called on, of the type that was registered under a name.
    public func receiver(ofTypeNamed name: String) throws(HostError) -> AnyObject {
        guard self.top >= 1, let handle = unsafe repartee_lua_to_handle(self.thread, 1),
            let object = unsafe self.state.handles.object(handle.pointee, ofTypeNamed: name)
        else { throw self.receiverFault }
        return object
    }

    private var receiverFault: HostError {
        HostError.argument(
            "\(self.name) needs the object it is called on: write a colon, as in object:name(), not a dot")
    }

    /// Returns the object that a method was called on, as its Swift type.
    public func receiver<Object: AnyObject>(of type: LuaHandleType, as: Object.Type) throws(HostError) -> Object {
        unsafe unsafeDowncast(try self.receiver(of: type), to: Object.self)
    }

    /// Returns the text form of an argument, as `tostring` gives it.
    public func text(_ number: Int) -> String {
        let index = self.index(number)
        guard index >= 1, index <= self.top else { return "nil" }
        unsafe repartee_lua_push_text(self.thread, index)
        defer { unsafe lua_settop(self.thread, -2) }
        return unsafe String(decoding: self.stack.bytes(at: -1), as: UTF8.self)
    }
}
