#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Another program, run to its end for what it prints.
enum ChildProcess {
    /// Runs a program that is found by `PATH`, with no input; what it says on standard error is dropped.
    ///
    /// - Returns: Its exit status and what it printed, or nil if it cannot be started.
    static func output(of words: [String]) -> (status: Int32, output: String)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard status == 0 else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0, errno == EINTR {}
        // The exit status stands in the second byte (POSIX, WEXITSTATUS); whoever was killed has no zero there or
        // below.
        let exit = ending & 0x7F == 0 ? (ending >> 8) & 0xFF : 128 + (ending & 0x7F)
        return (exit, String(decoding: bytes, as: UTF8.self))
    }
}
