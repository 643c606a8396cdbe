import CommandLine
import Foundation
import RunRecord
import Synchronization

/// How the tool ends; the testing library has an `ExitStatus` of its own.
typealias ToolStatus = ExitStatus

/// One run of the whole tool in this process, with what it wrote.
struct ToolRun: Sendable {
    let status: ExitStatus
    let output: String
    let error: String

    /// Where it wrote its reports.
    let reports: TemporaryFolder

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: What follows the name of the program; `test` gets a folder for reports unless it names one.
    ///   - folder: The working directory.
    ///   - variables: The environment variables.
    ///   - terminal: The size of the terminal that it writes to, if it is one.
    init(
        _ arguments: [String], in folder: String, variables: [String: String] = [:],
        terminal: (columns: Int, rows: Int)? = nil
    ) async throws {
        let reports = try TemporaryFolder()
        let (output, error) = (Capture(), Capture())
        var arguments = arguments
        if arguments.first == "test", !arguments.contains("--reports") { arguments += ["--reports", reports.path] }
        var environment = CommandEnvironment(
            arguments: arguments, variables: variables, workingDirectory: folder, isTerminal: terminal != nil,
            writeOutput: output.append, writeError: error.append)
        environment.program = Product.program
        environment.terminalSize = { terminal }
        self.status = await CommandLineTool.run(in: environment)
        self.reports = reports
        self.output = output.text
        self.error = error.text
    }

    /// What was printed, after a line of what failed: of a long text the list of failed tests shows the beginning.
    var account: String {
        let failed = self.output.split(separator: "\n").filter { $0.contains("  ✗ ") }.joined(separator: " | ")
        return "\(failed)\n\(self.output)\(self.error)"
    }

    /// Whether a load run ended so.
    ///
    /// A generator that a busy machine kept from its time ends each run in real time with another code, whatever the
    /// run found; that says nothing about what a test is about.
    func ended(_ status: ExitStatus) -> Bool {
        self.status == status || (self.status == .harness && self.output.contains("generator   invalid"))
    }

    /// The run record.
    var record: [RunEntry] {
        get throws { try RecordReader.read(try self.reports.data("run.jsonl")) }
    }

    /// How each scenario ended, by its title.
    var outcomes: [String: Outcome] {
        get throws {
            var titles: [Int: String] = [:]
            var outcomes: [String: Outcome] = [:]
            for entry in try self.record {
                switch entry {
                case .scenarioStarted(let start):
                    titles[start.index] = start.titlePath.joined(separator: " › ")
                case .scenarioEnded(let end): outcomes[titles[end.index] ?? "?"] = end.outcome
                default: break
                }
            }
            return outcomes
        }
    }
}

/// Collects what a stream gets.
private final class Capture: Sendable {
    private let collected = Mutex("")

    var text: String { self.collected.withLock { $0 } }

    @Sendable func append(_ text: String) { self.collected.withLock { $0 += text } }
}
