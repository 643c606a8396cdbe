#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program once more as a process of its own, which takes lines and answers with lines; what it says on standard
/// error goes where that of this process goes.
///
/// It is in a process group of its own, so that Ctrl-C is heard by the process that started it alone.
final class WorkerProcess {
    /// How a process has ended.
    enum Ending {
        case exited(Int32)
        case signaled(Int32)

        /// The ending for people.
        var text: String {
            switch self {
            case .exited(let code): "the process ended with exit code \(code)"
            case .signaled(let number): "the process was ended by a signal: \(String(cString: strsignal(number)))"
            }
        }
    }

    /// What to wait for until there is something to read.
    let output: Int32

    private let process: pid_t
    private let input: Int32
    private var bytes: [UInt8] = []

    /// Starts a program; nil if it cannot be started.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: What follows its name.
    ///   - variables: Its environment.
    init?(_ program: String, _ arguments: [String], variables: [String: String]) {
        guard let (theirInput, input) = Self.pipe() else { return nil }
        guard let (output, theirOutput) = Self.pipe() else {
            for end in [theirInput, input] { close(end) }
            return nil
        }
        defer { for end in [theirInput, theirOutput] { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirInput, 0)
        posix_spawn_file_actions_adddup2(&actions, theirOutput, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, &attributes, &words, &environment) == 0 else {
            for end in [input, output] { close(end) }
            return nil
        }
        self.process = process
        self.input = input
        self.output = output
    }

    /// Two ends that no other program inherits: otherwise the end of one would not be seen as long as others live.
    private static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            guard Glibc.pipe(&ends) == 0 else { return nil }
        #elseif canImport(Musl)
            guard Musl.pipe(&ends) == 0 else { return nil }
        #else
            guard Darwin.pipe(&ends) == 0 else { return nil }
        #endif
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Sends a line; one that has no reader any more is lost, and the end of the process tells of that.
    func send(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(self.input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads what there is, and waits for it if there is nothing yet.
    ///
    /// - Returns: The lines that are whole, and whether the process has closed its output.
    func read() -> (lines: [String], hasEnded: Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        #if canImport(Glibc)
            let count = Glibc.read(self.output, &buffer, buffer.count)
        #elseif canImport(Musl)
            let count = Musl.read(self.output, &buffer, buffer.count)
        #else
            let count = Darwin.read(self.output, &buffer, buffer.count)
        #endif
        if count < 0, errno == EINTR { return ([], false) }
        guard count > 0 else { return ([], true) }
        self.bytes += buffer[..<count]
        var lines = self.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let rest = Array(lines.removeLast())
        defer { self.bytes = rest }
        return (lines.map { String(decoding: $0, as: UTF8.self) }, false)
    }

    /// Waits for the end of a process that has closed its output.
    func end() -> Ending {
        close(self.input)
        close(self.output)
        var ending: Int32 = 0
        while waitpid(self.process, &ending, 0) < 0, errno == EINTR {}
        // The exit status stands in the second byte, a signal in the low seven bits (POSIX, WIFEXITED and WTERMSIG).
        return ending & 0x7F == 0 ? .exited((ending >> 8) & 0xFF) : .signaled(ending & 0x7F)
    }

    /// Ends the process at once.
    func kill() {
        #if canImport(Glibc)
            _ = Glibc.kill(self.process, SIGKILL)
        #elseif canImport(Musl)
            _ = Musl.kill(self.process, SIGKILL)
        #else
            _ = Darwin.kill(self.process, SIGKILL)
        #endif
        _ = self.end()
    }
}
