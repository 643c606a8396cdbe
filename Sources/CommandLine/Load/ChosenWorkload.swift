import JSON
import Load
import Machines
import Metrics
import RunRecord
import Scenario
import Secrets

/// The workload of a load run: that of the file, with what the options of the command say in place of its shape.
struct ChosenWorkload {
    /// What the file says; names, which stand in every report, show no secret.
    private let own: JSONObject
    /// The same with the shape that the options give.
    private let table: JSONObject
    /// Whether the shape is that of the file.
    private let isShapeOwn: Bool
    /// The thresholds of the command line.
    private let askedThresholds: [String]
    /// What is wrong with the workload beside its shape.
    private let mistakes: [String]
    /// What the workload says beside its shape.
    let options: WorkloadOptions
    /// What users get a row each of.
    let rows: [JSONValue]

    /// Takes the workload of a file and puts the options' shape into it.
    ///
    /// - Parameter declared: What the file says; nil if it says nothing.
    /// - Throws: ``ScriptProblem`` if nobody says anything of the load, or the shape that the options give is wrong.
    init(
        _ declared: WorkloadDeclaration?, _ command: LoadCommand, secrets: SecretMasker
    ) throws(ScriptProblem) {
        let own = Self.named(declared?.shape.object ?? [:], without: secrets)
        self.own = own
        self.isShapeOwn = command.pace.shape == nil
        self.askedThresholds = command.judgement.threshold
        if let shape = command.pace.shape {
            self.table = Self.merged(shape, into: own)
        } else {
            guard !own.isEmpty else {
                throw ScriptProblem(
                    "\(command.file) says nothing about the load; write workload { executor = \"constant_vus\", users = 10, "
                        + "duration = \"1m\" } at its top, or give --users 10 --duration 1m", isUsage: true)
            }
            self.table = own
        }
        try Self.check(options: command.pace)
        let (options, mistake) = Self.options(own)
        self.options = options
        self.mistakes = [declared?.rowMistake, mistake].compactMap(\.self)
        self.rows = declared?.rows ?? []
    }

    /// Returns what is wrong with the workload of a file, whatever options a load test may add to it; nil if nothing
    /// is.
    static func mistakes(of workload: WorkloadDeclaration) -> String? {
        let table = workload.shape.object ?? [:]
        var mistakes: [String] = []
        do throws(ShapeError) { try LoadShape.check(declared: .object(table)) } catch {
            mistakes.append(error.description)
        }
        if let mistake = Self.options(table).mistake { mistakes.append(mistake) }
        return mistakes.isEmpty ? nil : mistakes.joined(separator: "\n")
    }

    /// Reads the shape.
    ///
    /// - Throws: ``ScriptProblem`` with all that is wrong.
    func plan(seed: UInt64, shard: Shard) throws(ScriptProblem) -> LoadPlan {
        let plan: LoadPlan
        do throws(ShapeError) {
            plan = try LoadPlan(try LoadShape(.object(self.table)), seed: seed, shard: shard)
        } catch {
            throw ScriptProblem(([error.description] + self.mistakes).joined(separator: "\n"))
        }
        guard self.mistakes.isEmpty else { throw ScriptProblem(self.mistakes.joined(separator: "\n")) }
        return plan
    }

    /// Checks that there is a row for each user, where each is to have its own.
    func checkRows(for plan: LoadPlan) throws(ScriptProblem) {
        guard self.options.rowOrder == .perUser, self.rows.count < plan.userCount else { return }
        throw ScriptProblem(
            "workload.row_order is \"per_user\", which takes a row for each of the \(plan.userCount) users, and there "
                + "\(self.rows.count == 1 ? "is" : "are") \(NumberText.counted(self.rows.count, "row")); add rows, or play fewer users"
        )
    }

    /// Reads the storms.
    ///
    /// - Parameters:
    ///   - network: What the network of all users is like besides.
    ///   - end: When the run is over.
    /// - Returns: Those that come in time, and notes about the others, where the options make the run shorter.
    /// - Throws: ``ScriptProblem`` if one is wrong, or comes after the end that the file itself says.
    func storms(
        over network: JSONObject, before end: Duration
    ) throws(ScriptProblem) -> ([Storm], tooLate: [String]) {
        let all: [Storm]
        do throws(ShapeError) {
            all = try Storm.list(in: self.own, over: network)
        } catch {
            throw ScriptProblem(error.description)
        }
        if self.isShapeOwn, let late = all.first(where: { $0.start >= end }) {
            throw ScriptProblem(
                "the storm \"\(late.name)\" comes at \(late.start.scriptText), and the run is over at \(end.scriptText); let it "
                    + "come earlier, or the run be longer")
        }
        return (
            all.filter { $0.start < end },
            all.filter { $0.start >= end }.map {
                "the storm \"\($0.name)\" is left out: it comes at \($0.start.scriptText), and the run is over at \(end.scriptText)"
            }
        )
    }

    /// Reads the thresholds of the file and of the options.
    ///
    /// - Parameter phases: The phases of the run.
    /// - Returns: What must hold, and notes about thresholds of the file that are left out because the options give a
    ///   shape without the phase that they are about.
    /// - Throws: ``ScriptProblem`` with all that cannot be read.
    func thresholds(metrics: [Metric], phases: [String]) throws(ScriptProblem) -> ([Threshold], leftOut: [String]) {
        var lost: [String] = []
        if !self.isShapeOwn {
            let shape = try? LoadShape(.object(self.own))
            lost = (shape?.phases.map(\.name) ?? []).filter { !phases.contains($0) }
        }
        let (ofFile, fileErrors) = Threshold.parse(self.options.thresholds, metrics: metrics, phases: phases + lost)
        let (ofOptions, optionErrors) = Threshold.parse(self.askedThresholds, metrics: metrics, phases: phases)
        let errors = fileErrors + optionErrors
        guard errors.isEmpty else {
            throw ScriptProblem(errors.map(\.description).joined(separator: "\n"), isUsage: fileErrors.isEmpty)
        }
        let leftOut = ofFile.filter { threshold in threshold.phase.map(lost.contains) ?? false }
        return (
            ofFile.filter { !leftOut.contains($0) && !ofOptions.contains($0) } + ofOptions,
            leftOut.map { "left out: \($0.text), for the shape that the options give has no such phase" }
        )
    }

    /// Returns a workload whose names, which stand in every report, show no secret.
    private static func named(_ table: JSONObject, without secrets: SecretMasker) -> JSONObject {
        func shown(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text): .string(secrets.withoutValues(text))
            case .array(let elements): .array(elements.map(shown))
            case .object(let members): .object(JSONObject(members.map { ($0, $0 == "rows" ? $1 : shown($1)) }))
            default: value
            }
        }
        return secrets.isEmpty ? table : shown(.object(table)).object ?? table
    }

    /// What decides who starts when; options replace all of it and keep the rest of the file's workload.
    private static let paceMembers =
        ["executor", "users", "duration", "start_users", "stages", "graceful_ramp_down", "rate", "start_rate"]
        + ["distribution", "iterations", "max_duration", "at", "speed", "workloads", "warm_up", "phases"]

    private static func merged(_ options: JSONObject, into own: JSONObject) -> JSONObject {
        var table = own
        for name in Self.paceMembers { table[name] = nil }
        return table.merging(options)
    }

    /// Checks the shape that the options give, before what the file has beside it: it is not the file's fault.
    private static func check(options: PaceOptions) throws(ScriptProblem) {
        guard let shape = options.shape else { return }
        do throws(ShapeError) {
            _ = try LoadShape(.object(shape))
        } catch {
            let problems = error.problems.map { problem in
                let member = problem.path.split(separator: ".").last.map(String.init) ?? ""
                return "--\(member == "max_duration" ? "duration" : member): \(problem.message)"
            }
            throw ScriptProblem(problems.joined(separator: "\n"), isUsage: true)
        }
    }

    /// Reads what the workload says beside its shape.
    ///
    /// - Returns: The options, and all that is wrong with them.
    private static func options(_ table: JSONObject) -> (WorkloadOptions, mistake: String?) {
        do throws(ShapeError) {
            return (try WorkloadOptions(in: table), nil)
        } catch {
            return (WorkloadOptions(), error.description)
        }
    }
}
