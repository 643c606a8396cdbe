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

    /// The size of the terminal that standard output is.
    private static var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Why standard output did not take all, if it did not.
    private static let outputFailure = Mutex<OutputFailure?>(nil)

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
                    failure = failure ?? (number == EPIPE ? .closed : .failed(String(cString: strerror(number))))
                }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
