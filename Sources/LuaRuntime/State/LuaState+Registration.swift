internal import CLua
internal import JSON
internal import LuaBridge

/// A type of handles in the table of a state.
struct RegisteredType {
    let name: String
    let anchor: Int32
}

extension LuaState {
    /// Adds a function that scripts can call once it is put into an environment.
    public func register(_ function: HostFunction) -> HostSlot {
        self.register(function, offset: 0)
    }

    /// Adds a type of objects that scripts can hold.
    public func register(_ declaration: LuaHandleDeclaration) -> LuaHandleType {
        let number = UInt32(self.types.count)
        guard let main = unsafe self.main else { return LuaHandleType(number: .max, name: declaration.name) }
        let type = LuaHandleType(number: number, name: declaration.name)
        let memberSlot = declaration.member.map { self.append($0, offset: 1) } ?? -1
        var textSlot: Int32 = -1
        if let text = declaration.text {
            let body = HostFunction("\(declaration.name):__tostring") { (call) throws(LuaFault) in
                call.push(text(try call.receiver(of: type)))
                return .returns
            }
            textSlot = self.append(body, offset: 1)
        }
        unsafe lua_createtable(main, 0, Int32(declaration.methods.count))
        for (name, method) in declaration.methods {
            unsafe self.push(name, on: main)
            unsafe repartee_lua_push_host_function(main, self.append(method, offset: 1))
            unsafe lua_rawset(main, -3)
        }
        unsafe repartee_lua_make_handle_type(main, declaration.name, memberSlot, textSlot)
        self.types.append(RegisteredType(name: declaration.name, anchor: unsafe self.anchorTop(of: main)))
        return type
    }

    func register(_ function: HostFunction, offset: Int32) -> HostSlot {
        let index = self.append(function, offset: offset)
        guard let main = unsafe self.main else { return HostSlot(index: index, anchor: LUA_REFNIL) }
        unsafe repartee_lua_push_host_function(main, index)
        return HostSlot(index: index, anchor: unsafe self.anchorTop(of: main))
    }

    private func append(_ function: HostFunction, offset: Int32) -> Int32 {
        let slot = self.functions.append(RegisteredFunction(function: function, offset: offset))
        unsafe self.host.pointee.functions = unsafe UnsafeMutableRawPointer(self.functions.start)
        return slot
    }

    /// Registers what the bridge relies on: the functions in fixed slots and the types of faults.
    func registerBuiltIns() {
        let require = HostFunction("require", parameters: ["name"]) { [unowned self] (call) throws(LuaFault) in
            let name = try call.string(1)
            guard let searcher = self.moduleSearcher else {
                throw LuaFault("module '\(name)' is not found: there is no place to look for it", kind: "module")
            }
            switch try searcher(name, call.position) {
            case .value(let value): call.push(value)
            case .source(let text, let chunkName):
                self.note(chunkName)
                call.push(text)
                call.push(chunkName)
                call.push("t")
            case .chunk(let chunk):
                self.note(chunk.name)
                call.push(chunk.bytes)
                call.push(chunk.name)
                call.push("b")
            }
            return .returns
        }
        let slot = self.append(require, offset: 0)
        precondition(slot == REPARTEE_LUA_SLOT_REQUIRE, "require must have the slot that the bridge calls")
        let undefined = HostFunction("undefined", parameters: ["names", "name", "library", "table"]) {
            [unowned self] (call) throws(LuaFault) in
            guard let judge = self.undefinedName, let fault = judge(try UndefinedName(call)) else { return .returns }
            throw fault
        }
        let undefinedSlot = self.append(undefined, offset: 0)
        precondition(undefinedSlot == REPARTEE_LUA_SLOT_UNDEFINED, "it must have the slot that the bridge calls")
        for type in [RaisedFault.type, RaisedFault.finalType] {
            precondition(
                self.register(RaisedFault.declaration(of: type)) == type, "faults must be the first types")
        }
    }
}
