internal import CLua
internal import LuaBridge

/// One Lua state with all that scripts in it share: memory, host functions, types of handles, pooled coroutines.
///
/// A state belongs to one thread, and so do all objects it hands out. Every way in is protected: whatever a script
/// does ends as a ``LuaError``.
@safe public final class LuaState {
    /// What the scripts may use.
    public let limits: LuaLimits

    /// Finds what a script requires; unless given, nothing is found.
    ///
    /// It gets the name and the place of the call. The sandbox is the caller's: only files below the project may be
    /// answered.
    public var moduleSearcher: ((String, LuaPosition?) throws(HostError) -> LuaModule)?

    /// Makes the fault of a script that reads a global that nobody has assigned, or a member that a library does not
    /// have; unless given, both are nil.
    ///
    /// A script asks with `rawget(_G, name)` whether a global exists. It holds for environments made afterwards.
    public var undefinedName: ((UndefinedName) -> HostError?)? {
        didSet { unsafe self.host.pointee.is_strict = self.undefinedName == nil ? 0 : 1 }
    }

    /// The coroutine that is being resumed, also while a coroutine of the script runs in it.
    var currentCoroutine: LuaCoroutine?

    /// Collects everything around each call of a host function; for tests.
    var collectsAlways: Bool {
        get { unsafe self.host.pointee.collects_always != 0 }
        set { unsafe self.host.pointee.collects_always = newValue ? 1 : 0 }
    }

    /// Bytes that the state holds now.
    public var memoryInUse: Int { unsafe Int(self.host.pointee.used) }

    /// Bytes that scripts have asked for so far, whether the state still holds them or not.
    public var bytesAllocated: UInt64 { unsafe self.host.pointee.allocated }

    /// Measures what scripts cost, if somebody wants to know.
    public var meter: LuaMeter?

    /// What a watchdog on another thread sees of the scripts, and how it stops them.
    public let watch = LuaWatch()

    /// Whether ``close()`` has been called.
    public var isClosed: Bool { unsafe self.main == nil }

    let host: UnsafeMutablePointer<repartee_lua_host>
    /// The main thread, on which the engine works when no script calls it; nil once closed.
    private var main: OpaquePointer?
    let anchors = AnchorPool()
    let handles = HandleTable()
    let files = ScriptFileNames()
    var keptChunks = KeptChunks()
    var idleThreads = IdleThreads()
    /// The call stack of the last error that left a protected call.
    private(set) var lastTrace: [LuaFrame] = []
    private let clock: LuaClock
    private var functions = FunctionTable()
    private var nextSeed: UInt64

    /// How many calls of the engine into scripts, and of scripts into the engine, are in progress.
    var depth: Int32 {
        get { unsafe self.host.pointee.depth }
        set { unsafe self.host.pointee.depth = newValue }
    }
    /// The environment whose budget is being used up: that of the script that runs.
    public internal(set) var currentEnvironment: LuaEnvironment?

    /// Opens a state with an empty sandbox.
    ///
    /// - Parameters:
    ///   - limits: What the scripts may use.
    ///   - seed: The seed of `math.random`; each environment that is given none gets one derived from it.
    ///   - clock: Where `os.time` and its like get the time from.
    public init(limits: LuaLimits = .standard, seed: UInt64 = 0, clock: LuaClock = .stopped) {
        self.limits = limits
        self.clock = clock
        self.nextSeed = seed
        let host = UnsafeMutablePointer<repartee_lua_host>.allocate(capacity: 1)
        unsafe host.initialize(to: repartee_lua_host())
        unsafe host.pointee.watch = unsafe self.watch.cell
        unsafe host.pointee.limit = limits.memoryBytes.map { Int($0) } ?? 0
        unsafe host.pointee.string_limit = limits.stringBytes
        unsafe host.pointee.hook_interval = limits.hookInterval
        unsafe host.pointee.collection_threshold = limits.collectionThreshold
        unsafe host.pointee.garbage_allowance = limits.garbageBytes
        unsafe host.pointee.dispatch = unsafe dispatchHostCall
        unsafe host.pointee.release = { context, index, generation in
            let state = unsafe state(context)
            state.handles.release(index: index, generation: generation)
            unsafe state.host.pointee.has_released = 1
        }
        unsafe host.pointee.trace = { context, thread in
            let state = unsafe state(context)
            // A fault has kept the calls in progress where it was raised.
            state.lastTrace = unsafe RaisedError.stands(at: 1, of: thread!) ? [] : LuaFrame.calls(on: thread!)
        }
        unsafe host.pointee.clock = { context, kind in
            let clock = unsafe state(context).clock
            return kind == REPARTEE_LUA_CLOCK_WALL ? clock.wallSeconds() : clock.monotonicSeconds()
        }
        unsafe host.pointee.find = { object, name, length in
            let name = unsafe UnsafeRawBufferPointer(start: name, count: length)
            return unsafe PackedTable(object!).member(named: name.assumingMemoryBound(to: UInt8.self))
        }
        unsafe self.host = host
        unsafe host.pointee.context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let main = unsafe repartee_lua_open(host) else {
            preconditionFailure("Lua cannot be opened: memory is exhausted")
        }
        unsafe self.main = main
        unsafe self.anchors.state = self
        let stack = unsafe LuaStack(main, of: self)
        unsafe lua_createtable(main, 0, 0)
        unsafe lua_createtable(main, 0, 1)
        stack.push("__mode")
        stack.push("v")
        unsafe lua_rawset(main, -3)
        _ = unsafe lua_setmetatable(main, -2)
        self.handles.cacheAnchor = stack.anchorTop()
        self.registerBuiltIns()
    }

    deinit {
        self.close()
        unsafe self.host.deinitialize(count: 1)
        unsafe self.host.deallocate()
    }

    /// Closes the state and lets go of all objects that scripts held.
    ///
    /// Suspended coroutines are dropped without running their `<close>` variables; cancel them first where those
    /// matter. Objects handed out before may be used afterwards: they answer with an error, or not at all.
    public func close() {
        guard unsafe self.main != nil else { return }
        precondition(self.depth == 0, "a Lua state cannot be closed from within a host function")
        unsafe self.main = nil
        unsafe self.anchors.state = nil
        self.idleThreads = IdleThreads()
        unsafe repartee_lua_close(self.host)
        self.handles.removeAll()
        self.functions.removeAll()
        unsafe self.host.pointee.functions = nil
        self.keptChunks = KeptChunks()
        self.moduleSearcher = nil
    }

    /// Runs full collections, until one lets go of no object of the host that holds values of Lua in turn.
    public func collect() {
        guard let main = unsafe self.main else { return }
        for _ in 0..<Self.mostCollections {
            unsafe repartee_lua_collect(main)
            if !self.settle() { return }
        }
    }

    /// Takes the objects that scripts hold now for those that they share as long as the state is open.
    public func keepHeldObjects() { self.handles.keepAll() }

    /// Lets go of all other objects that scripts hold, without a collection, once no script goes on that may use them;
    /// a handle that is left is of no object.
    public func releaseHeldObjects() { self.handles.releaseOthers() }

    /// Runs a step of the collection, for a moment when nothing else is to do.
    ///
    /// - Parameter kilobytes: How much allocation the step makes up for.
    public func collectStep(kilobytes: Int) {
        guard let main = unsafe self.main else { return }
        unsafe repartee_lua_collect_step(main, Int32(clamping: kilobytes))
        self.settle()
    }

    /// So many collections run in a row at most.
    private static let mostCollections = 4

    /// Frees what was let go while it could not be freed; returns whether the script's values are among it.
    @discardableResult func settle() -> Bool {
        unsafe self.host.pointee.has_released = 0
        self.handles.buryReleased()
        return unsafe self.main.map { unsafe self.anchors.free(on: $0) } ?? false
    }

    /// The stack of the main thread; nil once the state is closed.
    var mainStack: LuaStack? { unsafe self.main.map { unsafe LuaStack($0, of: self) } }

    /// Returns the stack of the main thread.
    ///
    /// - Throws: ``LuaError`` once the state is closed.
    func openStack() throws(LuaError) -> LuaStack {
        guard let stack = self.mainStack else { throw LuaError.closed }
        return stack
    }

    /// Adds a function of the host and returns its slot.
    ///
    /// - Parameter offset: How many values come before the argument 1: the receiver of a method.
    func append(_ function: HostFunction, offset: Int32) -> Int32 {
        let slot = self.functions.append(RegisteredFunction(function: function, offset: offset))
        unsafe self.host.pointee.functions = unsafe UnsafeMutableRawPointer(self.functions.start)
        return slot
    }

    /// Takes the seed of the next environment that is given none.
    func takeSeed() -> UInt64 {
        self.nextSeed &+= 0x9E37_79B9_7F4A_7C15
        return self.nextSeed
    }
}

@available(*, unavailable) extension LuaState: Sendable {}

/// The pseudo index of the registry; the header's macro is not importable.
let registryIndex: Int32 = -Int32(LUAI_MAXSTACK) - 1000

/// Returns the state that a callback of the bridge belongs to.
private func state(_ context: UnsafeMutableRawPointer?) -> LuaState {
    unsafe Unmanaged<LuaState>.fromOpaque(context!).takeUnretainedValue()
}
