import ArgumentParser
import FoundationEssentials
import Metrics
import Scenario

/// `repartee judge`: measures a judge by texts that people labelled.
struct JudgeCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Measures a judge of repartee.lua by texts that people labelled.",
        discussion: """
            Each line of the file is a JSON object: text, criterion, and expected, true or false. Precision, recall and \
            Cohen's kappa are printed, and the texts of which the judge says something else than people.
            """)

    @Option(help: ArgumentHelp("The labelled texts, in lines of JSON.", valueName: "file"))
    var calibrate: String

    @Option(help: ArgumentHelp("Which judge; may be left out where there is one.", valueName: "name"))
    var by: String?

    @OptionGroup
    var models: ModelOptions

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        do throws(ScriptProblem) {
            let project = ProjectFolder(of: self.calibrate, in: environment)
            let configuration = try project.configuration()
            guard let data = FileManager.default.contents(atPath: environment.path(self.calibrate)) else {
                throw ScriptProblem("there is no file \(self.calibrate) that can be read", isUsage: true)
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw ScriptProblem("\(self.calibrate) cannot be read as text in UTF-8", isUsage: true)
            }
            let calibration = try JudgeCalibration(reading: text, name: self.calibrate)
            let name = try self.judge(of: configuration)
            let client = try self.models.client(configuration, project, in: environment)
            let interruption = Interruption()
            let signals = environment.onInterrupt {
                interruption.request()
                // An answer may take minutes.
                client.stop()
            }
            defer { signals?.stop() }
            let outcome: Result<JudgeCalibration.Outcome, ScriptProblem>
            do {
                outcome = .success(
                    try await calibration.outcome(of: name, through: client, vault: environment.vault))
            } catch {
                outcome = .failure(error)
            }
            await client.close()
            let isKept = self.keepAnswers(of: client, project, in: environment)
            let status =
                isKept ? self.tell(outcome, of: name, interruption.isRequested, in: environment) : .harness
            // What was asked is paid for, whatever came of it.
            environment.writeError(client.costSummary)
            return status
        } catch {
            return environment.report(error)
        }
    }

    /// Says what came of it.
    private func tell(
        _ outcome: Result<JudgeCalibration.Outcome, ScriptProblem>, of name: String, _ isInterrupted: Bool,
        in environment: CommandEnvironment
    ) -> ExitStatus {
        switch outcome {
        case .success(let outcome):
            environment.writeOutput(Self.report(outcome, name))
            return .success
        case .failure where isInterrupted:
            environment.writeError(self.interruptionText)
            return .interrupted
        case .failure(let problem): return environment.report(problem)
        }
    }

    /// Writes what was answered, for that is paid for, also if the last answer is missing.
    ///
    /// - Returns: False if it could not be written; why not has been said.
    private func keepAnswers(
        of client: ModelClient, _ project: ProjectFolder, in environment: CommandEnvironment
    ) -> Bool {
        guard self.models.record, let cassette = client.changedCassette else { return true }
        return environment.write(Array(cassette.utf8), to: self.models.path(project, in: environment))
    }

    /// What is said where somebody has ended it before all answers were there.
    private var interruptionText: String {
        let advice =
            self.models.record
            ? "the answers so far are kept in \(self.models.cassette ?? ModelOptions.standardName), and the same command "
                + "asks for the others"
            : "with --record the answers so far would be kept"
        return "error: interrupted before all texts were judged; \(advice)\n"
    }

    private func judge(of configuration: ProjectConfiguration) throws(ScriptProblem) -> String {
        if let name = self.by { return name }
        let names = configuration.judgeNames
        guard names.count == 1 else {
            throw ScriptProblem(
                names.isEmpty
                    ? "repartee.lua declares no judge; write judges = { judge = { url = …, model = … } }"
                    : "there are several judges; name one: --by \(names.joined(separator: " or --by "))",
                isUsage: true)
        }
        return names[0]
    }

    private static func report(_ outcome: JudgeCalibration.Outcome, _ name: String) -> String {
        let agreement = outcome.agreement
        let rows = [
            "\(name): \(NumberText.counted(agreement.count, "text")); all votes agree on \(outcome.unanimous)",
            "people yes  judge yes \(agreement.rightYes)  judge no \(agreement.wrongNo)",
            "people no   judge yes \(agreement.wrongYes)  judge no \(agreement.rightNo)",
            "precision   \(Self.figure(agreement.precision, orElse: "none: the judge never says yes"))",
            "recall      \(Self.figure(agreement.recall, orElse: "none: people never say yes"))",
            "kappa       \(Self.figure(agreement.kappa, orElse: "none: both always say the same, so chance would do as well"))",
        ]
        return (rows + outcome.differences).joined(separator: "\n") + "\n"
    }

    /// Returns a figure to three digits.
    private static func figure(_ figure: Double?, orElse reason: String) -> String {
        guard let figure else { return reason }
        let thousandths = Int((abs(figure) * 1000).rounded())
        let digits = String(thousandths % 1000)
        return (figure < 0 && thousandths > 0 ? "-" : "") + "\(thousandths / 1000)."
            + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
