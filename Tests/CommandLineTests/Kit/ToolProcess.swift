import Foundation
import Processes
import Testing

/// The program as a process of its own; it is killed when nobody holds it any more.
final class ToolProcess {
    private let process: ChildProcess

    /// A process that a test waits for in vain lives no longer than this, so that the test fails and the others go on;
    /// no test takes as long, not even where a sanitizer slows it down.
    private static let lifetime = DispatchTimeInterval.seconds(1_800)

    private let killer: DispatchWorkItem

    /// Starts the program.
    ///
    /// - Parameter variables: What is in its environment beside what is in that of the tests.
    init(_ arguments: [String], in folder: String, variables: [String: String] = [:]) throws {
        self.process = try ChildProcess(
            [Product.program ?? ""] + arguments, in: folder, variables: variables, errors: .merged)
        self.killer = DispatchWorkItem { [weak process] in process?.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.lifetime, execute: self.killer)
    }

    deinit { self.killer.cancel() }

    /// Waits for a line that contains a text, and returns it; nil if the output ends before.
    func line(containing text: String) -> String? { self.process.output.line(containing: text) }

    /// Whether it has not ended yet.
    var isRunning: Bool { self.process.isRunning }

    /// The processes that it has started and that run.
    var children: [Int32] {
        // Each thread has those that it has started.
        let folder = "/proc/\(self.process.identifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.flatMap { thread -> [Int32] in
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Waits until `repartee serve` says where it is controlled, and returns the URL.
    func controlURL() throws -> String {
        let line = try #require(self.line(containing: "control "))
        return String(line.dropFirst("control ".count))
    }

    /// Waits until the process hears SIGINT and SIGTERM itself, which would end it before; a minute at most.
    func awaitListening() {
        let wanted = UInt64(1) << (SIGINT - 1) | UInt64(1) << (SIGTERM - 1)
        for _ in 0..<6_000 where self.isRunning {
            let status =
                (try? String(contentsOfFile: "/proc/\(self.process.identifier)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
            let caught = line.flatMap { UInt64($0.dropFirst("SigCgt:".count).filter(\.isHexDigit), radix: 16) } ?? 0
            if caught & wanted == wanted { return }
            usleep(10_000)
        }
    }

    /// Sends a signal.
    func send(_ signal: Int32) { self.process.send(signal) }

    /// Waits for the end and kills the process after a time.
    func end(within limit: Duration) -> (code: Int32, output: String) {
        let killer = DispatchWorkItem { self.send(SIGKILL) }
        DispatchQueue(label: "limit of a process").asyncAfter(
            deadline: .now() + limit / .seconds(1), execute: killer)
        defer { killer.cancel() }
        return self.end()
    }

    /// Waits for the end; returns the exit code, or the number of the signal below zero, and the rest of the output.
    func end() -> (code: Int32, output: String) {
        let rest = self.process.output.rest()
        return (self.process.end(), rest)
    }
}
