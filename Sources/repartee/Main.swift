import CommandLine
import FoundationEssentials
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The process: its real arguments, variables and streams, and its exit code.
@main
enum Main {
    static func main() async {
        Self.holdStreams()
        var environment = CommandEnvironment(
            arguments: Array(Swift.CommandLine.arguments.dropFirst()),
            variables: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath,
            isTerminal: isatty(STDOUT_FILENO) == 1,
            writeOutput: { Self.write($0, to: STDOUT_FILENO) },
            writeError: { Self.write($0, to: STDERR_FILENO) })
        environment.hearsSignals = true
        #if os(Linux)
            // Also where the file has been replaced since it was started.
            environment.program = "/proc/self/exe"
        #else
            environment.program = Swift.CommandLine.arguments[0]
        #endif
        environment.outputFailure = { Self.outputFailure.withLock { $0 } }
        // A pipe whose reader has gone away must not end the process before its reports are written.
        signal(SIGPIPE, SIG_IGN)
        environment.terminalSize = { Self.terminalSize }
        exit(await CommandLineTool.run(in: environment).rawValue)
    }

    /// Takes the places of standard streams that the process was begun without: what it opens first, such as a socket,
    /// would get them, and all that the tool prints with them.
    private static func holdStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // It gets the lowest number that is free. Nothing can be written to it, so that what is lost is noticed.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// The size of the terminal that standard output is.
    private static var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Why standard output did not take all, if it did not.
    private static let outputFailure = Mutex<OutputFailure?>(nil)

    private static func failure(_ number: Int32) -> OutputFailure {
        switch number {
        case EPIPE: .closed
        case EBADF: .failed("it is closed")
        default: .failed(String(cString: strerror(number)))
        }
    }

    /// Writes all of a text; a reader that has gone away is no reason to stop.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                guard descriptor == STDOUT_FILENO else { return }
                Self.outputFailure.withLock { failure in
                    failure = failure ?? Self.failure(number)
                }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
