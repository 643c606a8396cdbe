import CSpawn
import Foundation
import Synchronization

/// A process that a test starts; it is killed when nobody holds it any more.
///
/// Not Foundation's `Process`: to find what to close in the new process, that one copies 256 bytes from each name in
/// `/proc/self/fd`, past the end of what the kernel has given. Where more than 1,365 files are open, as in a process
/// that plays thousands of connections, this ends the tests by a signal now and then.
public final class ChildProcess: Sendable {
    /// What becomes of what it writes to standard error.
    public enum ErrorStream: Sendable {
        /// ``ChildProcess/errors`` has it.
        case separate

        /// ``ChildProcess/output`` has it, in between.
        case merged
    }

    /// What it writes to standard output.
    public let output: ProcessOutput

    /// What it writes to standard error, if that is separate.
    public let errors: ProcessOutput?

    /// Its number.
    public let identifier: Int32

    /// So many times a program is begun that is written to at that moment.
    private static let busyLimit = 1_000

    /// The status that it ended with, once that was asked for; the kernel tells it once only.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program, which is looked for on the PATH, and its arguments.
    ///   - folder: Where it begins; nil for the folder of the tests.
    ///   - variables: What is in its environment beside what is in that of the tests.
    ///   - input: The path of the file that it reads as standard input.
    /// - Throws: A `POSIXError` if it cannot be started.
    public init(
        _ command: [String], in folder: String? = nil, variables: [String: String] = [:], input: String = "/dev/null",
        errors: ErrorStream = .separate
    ) throws {
        let (outputReader, outputWriter) = try Self.pipe()
        let (errorReader, errorWriter) = try errors == .separate ? Self.pipe() : (-1, outputWriter)
        let inputReader = open(input, O_RDONLY | O_CLOEXEC)
        let environment = ProcessInfo.processInfo.environment.merging(variables) { _, own in own }
        var identifier: pid_t = 0
        let problem = Self.withPointers(command) { arguments in
            Self.withPointers(environment.map { "\($0)=\($1)" }) { environment in
                // A script that was just written is busy while a process holds it that another thread has forked
                // meanwhile, and that has not begun its own program yet.
                for _ in 0..<Self.busyLimit {
                    let problem = spawn_program(
                        &identifier, arguments, environment, folder, [inputReader, outputWriter, errorWriter])
                    guard problem == ETXTBSY else { return problem }
                    usleep(1_000)
                }
                return ETXTBSY
            }
        }
        for descriptor in [inputReader, outputWriter] { close(descriptor) }
        if errors == .separate { close(errorWriter) }
        self.identifier = identifier
        self.output = ProcessOutput(takenFrom: outputReader)
        self.errors = errors == .separate ? ProcessOutput(takenFrom: errorReader) : nil
        guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO) }
    }

    deinit {
        // Without a number nothing was started, and 0 would mean all processes of the tests.
        guard self.identifier > 0, self.isRunning else { return }
        self.send(SIGKILL)
        _ = self.end()
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool { self.reaped() == nil }

    /// Sends a signal, unless it has ended.
    public func send(_ signal: Int32) { if self.isRunning { kill(self.identifier, signal) } }

    /// Waits for the end; returns the exit code, or the number of the signal below zero.
    public func end() -> Int32 {
        // It is asked again and again rather than once without a limit: who sends a signal meanwhile has to ask as
        // well.
        while true {
            guard let status = self.reaped() else {
                usleep(5_000)
                continue
            }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : -signal
        }
    }

    /// The status as the kernel writes it; nil while it runs.
    private func reaped() -> Int32? {
        self.status.withLock { known in
            if known == nil {
                var status: Int32 = 0
                if waitpid(self.identifier, &status, WNOHANG) == self.identifier { known = status }
            }
            return known
        }
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard open_pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        return (ends[0], ends[1])
    }

    /// Calls a function with texts as C has them, and a null pointer behind them.
    private static func withPointers<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
