/// Threads of a state that have ended and may be used again.
@safe struct IdleThreads {
    private var threads: [(thread: OpaquePointer, anchor: Int32)] = unsafe []

    /// Takes the one that was kept last, with its slot in the registry.
    mutating func take() -> (OpaquePointer, Int32)? {
        unsafe self.threads.popLast().map { unsafe ($0.thread, $0.anchor) }
    }

    /// Keeps one whose stack is empty.
    mutating func keep(_ thread: OpaquePointer, anchor: Int32) {
        unsafe self.threads.append((thread, anchor))
    }
}
