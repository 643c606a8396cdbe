internal import CLua
internal import JSON
internal import LuaBridge

extension LuaState {
    /// Adds a function that scripts can call once it is put into an environment.
    public func register(_ function: HostFunction) -> HostSlot {
        self.register(function, offset: 0)
    }

    /// Adds a type of objects that scripts can hold.
    public func register(_ declaration: LuaHandleDeclaration) -> LuaHandleType {
        let number = UInt32(self.handles.types.count)
        guard let stack = self.mainStack else { return LuaHandleType(number: .max, name: declaration.name) }
        let type = LuaHandleType(number: number, name: declaration.name)
        let memberSlot = declaration.member.map { self.append($0, offset: 1) } ?? -1
        var textSlot: Int32 = -1
        if let text = declaration.text {
            let body = HostFunction("\(declaration.name):__tostring") { (call) throws(HostError) in
                call.push(text(try call.receiver(of: type)))
                return .returns
            }
            textSlot = self.append(body, offset: 1)
        }
        var pairsSlot: Int32 = -1
        if let members = declaration.members {
            let body = HostFunction("pairs") { (call) throws(HostError) in
                call.push(JSONValue.object(members(try call.receiver(of: type))))
                return .returns
            }
            pairsSlot = self.append(body, offset: 1)
        }
        unsafe lua_createtable(stack.thread, 0, Int32(declaration.methods.count))
        for (name, method) in declaration.methods {
            stack.push(name)
            unsafe repartee_lua_push_host_function(stack.thread, self.append(method, offset: 1))
            unsafe lua_rawset(stack.thread, -3)
        }
        unsafe repartee_lua_make_handle_type(stack.thread, declaration.name, memberSlot, textSlot, pairsSlot)
        self.handles.types.append(RegisteredType(name: declaration.name, anchor: stack.anchorTop()))
        return type
    }

    func register(_ function: HostFunction, offset: Int32) -> HostSlot {
        let index = self.append(function, offset: offset)
        guard let stack = self.mainStack else { return HostSlot(index: index, anchor: LUA_REFNIL) }
        unsafe repartee_lua_push_host_function(stack.thread, index)
        return HostSlot(index: index, anchor: stack.anchorTop())
    }

    /// Registers what the bridge relies on: the functions in fixed slots and the types of faults.
    func registerBuiltIns() {
        let require = self.append(BridgeCallbacks.require(in: self), offset: 0)
        precondition(require == REPARTEE_LUA_SLOT_REQUIRE, "require must have the slot that the bridge calls")
        let undefined = self.append(BridgeCallbacks.undefined(in: self), offset: 0)
        precondition(undefined == REPARTEE_LUA_SLOT_UNDEFINED, "it must have the slot that the bridge calls")
        let document = self.append(BridgeCallbacks.document, offset: 0)
        precondition(document == REPARTEE_LUA_SLOT_DOCUMENT, "it must have the slot that the bridge calls")
        for type in [RaisedError.type, RaisedError.finalType] {
            precondition(
                self.register(RaisedError.declaration(of: type)) == type, "faults must be the first types")
        }
    }
}
