internal import CLua
public import JSON
internal import LuaBridge

/// A call of a host function in progress: its arguments, and what it will return.
///
/// It lives only as long as the call. Arguments count from 1; the receiver of a method is not among them.
@safe public struct LuaCall: ~Copyable {
    /// Outlives the call, which only the state itself makes: safe without a count of references.
    private unowned(unsafe) let registered: RegisteredFunction
    let stack: LuaStack
    let offset: Int32
    /// How many values were on the stack at the start, receiver included.
    let top: Int32
    /// How many results have been pushed.
    private(set) var pushed: Int32 = 0
    /// Whether a result was dropped because the stack had no room.
    private(set) var isFull = false

    init(on stack: LuaStack, registered: RegisteredFunction) {
        unsafe self.registered = registered
        self.stack = stack
        self.offset = registered.offset
        self.top = unsafe lua_gettop(stack.thread)
    }

    /// The state that the script runs in.
    public var state: LuaState { self.stack.state }

    var thread: OpaquePointer { unsafe self.stack.thread }

    /// The function that is being called.
    var function: HostFunction { unsafe self.registered.function }

    /// The name of the function, for messages.
    public var name: String { self.function.spelling }

    /// How many arguments were given, without the receiver of a method.
    public var count: Int { max(0, Int(self.top - self.offset)) }

    /// The environment of the coroutine that is being resumed, or of the function that the engine called.
    public var environment: LuaEnvironment? { self.state.currentEnvironment }

    /// The line of the script that made the call; frames of the engine's own Lua are skipped.
    public var position: LuaPosition? {
        unsafe self.state.files.position(of: self.thread)
    }

    /// The calls in progress, innermost first, without frames of the engine's own Lua.
    public var traceback: [LuaFrame] {
        unsafe LuaFrame.calls(on: self.thread)
    }

    /// Checks that the call comes from a place where Lua can suspend; done already where the function says it suspends.
    ///
    /// - Throws: ``HostError`` of kind `suspend` that names what is in the way.
    public func requireSuspendable() throws(HostError) {
        var name: UnsafePointer<CChar>?
        let obstacle: String
        switch unsafe repartee_lua_blockade(self.thread, &name) {
        case REPARTEE_LUA_FREE: return
        case REPARTEE_LUA_IN_CLOSE: obstacle = "while a coroutine is being closed"
        case REPARTEE_LUA_IN_REQUIRE: obstacle = "while require loads a module"
        case REPARTEE_LUA_IN_C_FUNCTION:
            let function = unsafe name.map { unsafe String(cString: $0) } ?? "a C function"
            obstacle =
                switch function {
                case "sort": "inside a table.sort comparator"
                case "gsub": "inside a string.gsub callback"
                default: "inside a function that \(function) calls"
                }
        default: obstacle = "inside a function that the engine calls"
        }
        throw HostError(
            "\(self.name) cannot wait \(obstacle): Lua cannot suspend there. Move the wait outside.",
            kind: HostError.suspendKind)
    }

    /// Takes instructions off the script's budget for work that grows with what the script gave; to be called before
    /// it.
    ///
    /// - Throws: If the script is to end, which it does then, whether it catches this or not.
    public func charge(_ instructions: Int) throws(HostError) {
        guard unsafe repartee_lua_spend(self.thread, Int64(instructions)) == 0 else {
            throw HostError("the script has been stopped", kind: "stopped")
        }
    }

    /// Whether what the Lua function returns that made the call goes to a `for` loop, which ends at nil and drops what
    /// comes beside it.
    public var returnsToLoop: Bool { unsafe repartee_lua_returns_to_loop(self.thread) != 0 }

    // MARK: Results

    /// Makes room for a result and counts it; false once the stack is full, which ends the call with a fault.
    private mutating func makeRoom() -> Bool {
        // Lua gives each function room for 20 values beyond its arguments.
        if self.pushed >= 10, unsafe lua_checkstack(self.thread, 16) == 0 { self.isFull = true }
        guard !self.isFull else { return false }
        self.pushed += 1
        return true
    }

    /// Adds nil to the results.
    public mutating func pushNil() {
        guard self.makeRoom() else { return }
        unsafe lua_pushnil(self.thread)
    }

    /// Adds a boolean to the results.
    public mutating func push(_ value: Bool) {
        guard self.makeRoom() else { return }
        unsafe lua_pushboolean(self.thread, value ? 1 : 0)
    }

    /// Adds an integer to the results.
    public mutating func push(_ value: Int64) {
        guard self.makeRoom() else { return }
        unsafe lua_pushinteger(self.thread, value)
    }

    /// Adds a number to the results.
    public mutating func push(_ value: Double) {
        guard self.makeRoom() else { return }
        unsafe lua_pushnumber(self.thread, value)
    }

    /// Adds a string to the results.
    public mutating func push(_ text: String) {
        guard self.makeRoom() else { return }
        self.stack.push(text)
    }

    /// Adds a string to the results, or nil.
    public mutating func push(_ text: String?) {
        if let text { self.push(text) } else { self.pushNil() }
    }

    /// Adds an integer to the results, or nil.
    public mutating func push(_ value: Int64?) {
        if let value { self.push(value) } else { self.pushNil() }
    }

    /// Adds a string of any bytes to the results.
    public mutating func push(_ bytes: [UInt8]) {
        guard self.makeRoom() else { return }
        self.stack.push(bytes)
    }

    /// Adds a JSON value to the results; null becomes `json.null`.
    public mutating func push(_ value: JSONValue) {
        guard self.makeRoom() else { return }
        self.stack.push(value)
    }

    /// Adds what a string argument stands for as JSON to the results; null becomes `json.null`.
    ///
    /// - Parameter refusesRepetition: Whether no object may have two members of one name, of which else the last
    ///   counts.
    /// - Throws: ``JSONSyntaxError`` if the argument is no JSON in UTF-8, or no string, or refused.
    public mutating func pushJSON(
        ofArgument number: Int, refusingRepetition refusesRepetition: Bool = false
    ) throws(JSONSyntaxError) {
        guard self.kind(number) == .string else { throw JSONSyntaxError(message: "a text is expected", offset: 0) }
        guard self.makeRoom() else { return }
        try unsafe self.stack.pushJSON(self.stack.bytes(at: self.index(number)), refusingRepetition: refusesRepetition)
    }

    /// Adds a member of a table to the results, past metatables; nothing where it is absent or no name is given.
    mutating func pushMember(named name: Int32, ofTable table: Int32) {
        guard name <= self.top, self.makeRoom() else { return }
        unsafe lua_pushvalue(self.thread, name)
        guard unsafe lua_rawget(self.thread, table) == LUA_TNIL else { return }
        unsafe lua_settop(self.thread, -2)
        self.pushed -= 1
    }

    /// Adds any value to the results and holds on to what it became in Lua, to be given again.
    ///
    /// - Returns: Nil if the stack is full, which ends the call with a fault.
    public mutating func pushAnchored(_ value: LuaValue) -> LuaReference? {
        guard self.makeRoom() else { return nil }
        self.stack.push(value)
        return self.stack.reference(at: -1, environment: self.environment)
    }

    /// Adds an object of the engine to the results; the same object is the same value in the script each time.
    public mutating func push(_ object: AnyObject, as type: LuaHandleType) {
        guard self.makeRoom() else { return }
        self.stack.push(object, type)
    }

    /// Adds any value to the results.
    public mutating func push(_ value: LuaValue) {
        guard self.makeRoom() else { return }
        self.stack.push(value)
    }

    /// Lets the receiver have what was pushed last as the member named by argument 1 from now on: it never changes.
    public func keepMember() {
        guard self.kind(0) == .handle, unsafe lua_checkstack(self.thread, 4) != 0 else { return }
        unsafe repartee_lua_keep_member(self.thread, self.index(0), self.index(1))
    }

    /// Adds an argument to the results, unchanged; the receiver of a method is argument 0.
    public mutating func pushArgument(_ number: Int) {
        guard self.makeRoom() else { return }
        let index = self.index(number)
        if index >= 1, index <= self.top {
            unsafe lua_pushvalue(self.thread, index)
        } else {
            unsafe lua_pushnil(self.thread)
        }
    }

    /// The place of an argument on the stack.
    func index(_ number: Int) -> Int32 { Int32(clamping: number) + self.offset }
}
