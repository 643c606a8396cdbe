internal import LuaBridge

/// The objects of the engine that scripts hold, by index and generation.
final class HandleTable {
    private struct Entry {
        var object: AnyObject?
        var generation: UInt32 = 0
        var type: UInt32 = 0
    }

    private struct Identity: Hashable {
        let object: ObjectIdentifier
        let type: UInt32
    }

    /// Where the registry keeps the weak table of handles by index.
    var cacheAnchor: Int32 = 0

    /// The types of the objects, by the number that handles name them with.
    var types: [RegisteredType] = []

    private var entries: [Entry] = []
    /// The entries before this one are of objects that stay as long as the state.
    private var lastingCount = 0
    private var free: [UInt32] = []
    private var indices: [Identity: UInt32] = [:]
    /// Objects whose handles were collected; let go when no Lua function is running on their account.
    private var released: [AnyObject] = []

    /// How many objects are held; for tests, which find by it what is never let go.
    var liveCount: Int { self.entries.count { $0.object != nil } }

    /// The index under which an object has a handle already; that handle may have been collected.
    func index(of object: AnyObject, type: UInt32) -> UInt32? {
        self.indices[Identity(object: ObjectIdentifier(object), type: type)]
    }

    /// Adds an object; one that is shared is found again by ``index(of:type:)``.
    func insert(_ object: AnyObject, type: UInt32, isShared: Bool) -> (index: UInt32, generation: UInt32) {
        let index: UInt32
        if let reused = self.free.popLast() {
            index = reused
        } else {
            index = UInt32(self.entries.count)
            self.entries.append(Entry())
        }
        self.entries[Int(index)].object = object
        self.entries[Int(index)].type = type
        if isShared { self.indices[Identity(object: ObjectIdentifier(object), type: type)] = index }
        return (index, self.entries[Int(index)].generation)
    }

    func object(_ handle: repartee_lua_handle) -> AnyObject? {
        let index = Int(handle.index)
        guard index < self.entries.count, self.entries[index].generation == handle.generation else { return nil }
        return self.entries[index].object
    }

    /// The object of a handle, if its type is of a name.
    func object(_ handle: repartee_lua_handle, ofTypeNamed name: String) -> AnyObject? {
        self.types[Int(handle.type)].name == name ? self.object(handle) : nil
    }

    /// Frees an entry whose handle has been collected.
    func release(index: UInt32, generation: UInt32) {
        let position = Int(index)
        guard position < self.entries.count, self.entries[position].generation == generation,
            let object = self.entries[position].object
        else { return }
        let identity = Identity(object: ObjectIdentifier(object), type: self.entries[position].type)
        if self.indices[identity] == index { self.indices[identity] = nil }
        self.entries[position].object = nil
        self.entries[position].generation &+= 1
        // What came to a place of those that last would pass for one of them.
        if position >= self.lastingCount { self.free.append(index) }
        self.released.append(object)
    }

    /// Takes what is held now for what stays as long as the state: ``releaseOthers()`` leaves it.
    func keepAll() {
        self.lastingCount = self.entries.count
        self.free = []
    }

    /// Frees all other entries, although scripts may still have the handles: these are of no object then.
    func releaseOthers() {
        for position in self.lastingCount..<self.entries.count {
            self.release(index: UInt32(position), generation: self.entries[position].generation)
        }
        self.buryReleased()
    }

    /// Lets go of objects whose handles were collected; their deinitializers may do anything.
    func buryReleased() {
        guard !self.released.isEmpty else { return }
        let released = self.released
        self.released = []
        _ = consume released
    }

    func removeAll() {
        self.types = []
        self.entries = []
        self.lastingCount = 0
        self.free = []
        self.indices = [:]
        self.buryReleased()
    }
}
