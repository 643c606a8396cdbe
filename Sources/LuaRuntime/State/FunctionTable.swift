/// The host functions of a state by slot, at addresses that the bridge can keep.
///
/// Calls reach a function by its address, because an array in a property would cost each call a retain and a check.
@safe struct FunctionTable {
    /// The functions in the order of their slots, each retained once.
    private(set) var start: UnsafeMutablePointer<Unmanaged<RegisteredFunction>>?
    private var count = 0
    private var capacity = 0

    init() {}

    /// Adds a function and returns its slot.
    mutating func append(_ function: RegisteredFunction) -> Int32 {
        if self.count == self.capacity {
            let capacity = max(64, 2 * self.capacity)
            let grown = UnsafeMutablePointer<Unmanaged<RegisteredFunction>>.allocate(capacity: capacity)
            if let start = unsafe self.start {
                unsafe grown.moveInitialize(from: start, count: self.count)
                unsafe start.deallocate()
            }
            unsafe self.start = grown
            self.capacity = capacity
        }
        unsafe (self.start! + self.count).initialize(to: Unmanaged.passRetained(function))
        self.count += 1
        return Int32(self.count - 1)
    }

    /// Lets go of all functions.
    mutating func removeAll() {
        guard let start = unsafe self.start else { return }
        for slot in 0..<self.count { unsafe start[slot].release() }
        unsafe start.deallocate()
        unsafe self.start = nil
        self.count = 0
        self.capacity = 0
    }
}
