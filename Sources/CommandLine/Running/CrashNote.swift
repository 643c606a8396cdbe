#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A text that is written to standard error if the process traps: what it was at.
///
/// The handler of the signal may do next to nothing, so the text lies ready in memory that is never freed.
struct CrashNote {
    private static let capacity = 4096
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

    // Safe because they are written by the one thread that plays, and read by the handler, which runs on that thread
    // where it traps.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.capacity)
    nonisolated(unsafe) private static var count = 0

    /// Begins to listen for traps.
    init() {
        // What is made lazily must be there before the handler asks for it.
        _ = Self.bytes
        Self.count = 0
        for number in Self.signals {
            signal(number) { number in
                _ = write(2, CrashNote.bytes, CrashNote.count)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Sets the text.
    func set(_ text: String) {
        var count = 0
        for byte in text.utf8.prefix(Self.capacity) {
            Self.bytes[count] = byte
            count += 1
        }
        Self.count = count
    }

    /// Stops listening.
    func clear() {
        for number in Self.signals { signal(number, SIG_DFL) }
    }
}
