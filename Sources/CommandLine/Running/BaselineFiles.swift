import FoundationEssentials
import JSON
import Machines
import Reports
import RunRecord
import Scenario
import Secrets

/// The rates that scenarios had when they were stored: `baselines/NAME.json` beside each script, by titles.
struct BaselineFiles {
    /// What is stored beside a script.
    private struct File {
        let path: String
        var rates: [String: RateBaseline]

        /// Whether it is not as it is on disk.
        var isChanged = false
    }

    private static let format = 1

    /// By the names of scripts.
    private var files: [String: File] = [:]

    /// Reads what is stored beside scripts.
    ///
    /// - Parameter scripts: Their names, as reports have them.
    /// - Throws: ``ScriptProblem`` that names the file and what is wrong in it.
    init(of scripts: [String], in environment: CommandEnvironment) throws(ScriptProblem) {
        for script in scripts {
            let path = Self.path(of: script)
            guard let data = FileManager.default.contents(atPath: environment.path(path)) else {
                guard !FileManager.default.fileExists(atPath: environment.path(path)) else {
                    throw ScriptProblem("\(path) cannot be read; check its permissions")
                }
                self.files[script] = File(path: path, rates: [:])
                continue
            }
            do throws(Damage) { self.files[script] = File(path: path, rates: try Self.rates(data)) } catch {
                throw ScriptProblem("\(path): \(error.message); put it back as it was, or remove it")
            }
        }
        try Self.refuseForsaken(beside: scripts, in: environment)
    }

    /// Refuses what is stored of scripts that are not there: of one that was renamed, nothing would be compared.
    private static func refuseForsaken(
        beside scripts: [String], in environment: CommandEnvironment
    ) throws(ScriptProblem) {
        let files = FileManager.default
        for folder in Set(scripts.map(Self.folder)).sorted() {
            let names = (try? files.contentsOfDirectory(atPath: environment.path("\(folder)baselines"))) ?? []
            for name in names.sorted() where name.hasSuffix(".json") {
                let (path, script) = ("\(folder)baselines/\(name)", "\(folder)\(name.dropLast(5))")
                guard ![script, script + ".lua"].contains(where: { files.fileExists(atPath: environment.path($0)) }),
                    Self.beginsAsRates(environment.path(path)),
                    let data = files.contents(atPath: environment.path(path)), let rates = try? Self.rates(data),
                    !rates.isEmpty
                else { continue }
                throw ScriptProblem(
                    "\(path) has the rates of \(script).lua, which is not there; rename it as the script was, or remove it"
                )
            }
        }
    }

    /// Whether a file begins as one of rates does. Others may lie there, such as results of load tests, which are large
    /// and would be read by each run.
    private static func beginsAsRates(_ path: String) -> Bool {
        let bytes = FileSystem.beginning(of: path, length: Self.begunLength) ?? []
        let begun = bytes.filter { !" \t\r\n".utf8.contains($0) }
        return ["{\"format\":\(Self.format),\"scenarios\":{", "{\"scenarios\":{"].contains {
            begun.starts(with: $0.utf8)
        }
    }

    /// So many bytes have all that a file of rates begins with, however it is indented.
    private static let begunLength = 256

    private struct Damage: Error {
        let message: String
    }

    /// The folder of a script, with the stroke at its end.
    private static func folder(of script: String) -> String {
        script.lastIndex(of: "/").map { String(script[...$0]) } ?? ""
    }

    /// The file of a script.
    private static func path(of script: String) -> String {
        let folder = Self.folder(of: script)
        let name = script.dropFirst(folder.count)
        return "\(folder)baselines/\(name.hasSuffix(".lua") ? name.dropLast(4) : name).json"
    }

    private static func rates(_ data: Data) throws(Damage) -> [String: RateBaseline] {
        let value: JSONValue
        do { value = try JSONReader.readUnambiguous(data) } catch { throw Damage(message: "it is no JSON: \(error)") }
        guard value["format"]?.integer == Int64(Self.format), let scenarios = value["scenarios"]?.object else {
            throw Damage(message: "it has no \"format\": \(Self.format) and no \"scenarios\"")
        }
        var rates: [String: RateBaseline] = [:]
        for (title, entry) in scenarios {
            let known = ["passed", "tries", "fingerprint"]
            if let other = entry.object?.names.first(where: { !known.contains($0) }) {
                throw Damage(
                    message: "\"\(title)\" has a member \"\(other)\"" + TextDistance.hint(other, among: known))
            }
            guard let passed = entry["passed"]?.integer, let tries = entry["tries"]?.integer,
                1...Int64(Int32.max) ~= tries, 0...tries ~= passed,
                entry["fingerprint"].map({ $0.string != nil }) ?? true
            else {
                throw Damage(
                    message:
                        "\"\(title)\" is not like { \"passed\": 57, \"tries\": 60, \"fingerprint\": \"a version\" }")
            }
            rates[title] = RateBaseline(
                passed: Int(passed), of: Int(tries), fingerprint: entry["fingerprint"]?.string)
        }
        return rates
    }

    /// What is stored, by the ids of scenarios.
    var rates: [String: RateBaseline] {
        var rates: [String: RateBaseline] = [:]
        for (script, file) in self.files { for (title, rate) in file.rates { rates["\(script)::\(title)"] = rate } }
        return rates
    }

    /// Finds what is stored of scenarios that there are no more: compared with nothing, they would seem to pass.
    ///
    /// A script that declares no scenario may be one that could not be loaded, and is left alone.
    private func orphans(_ suite: ScenarioSuite) -> [(script: String, title: String)] {
        let loaded = Set(suite.members.map(\.definition.file))
        let played = Set(suite.members.map(\.definition).filter(\.isPlayedInTries).map(\.id))
        return self.files.sorted { $0.key < $1.key }.flatMap { script, file in
            file.rates.keys.sorted().filter { loaded.contains(script) && !played.contains("\(script)::\($0)") }
                .map { (script, $0) }
        }
    }

    /// Refuses what is stored of scenarios that there are no more, or several of.
    ///
    /// - Throws: ``ScriptProblem`` that names the first.
    func requireDeclared(in suite: ScenarioSuite) throws(ScriptProblem) {
        if let (script, title) = self.orphans(suite).first {
            throw ScriptProblem(
                "\(self.files[script]?.path ?? "") has the rate of \"\(title)\", and \(script) declares no scenario with passes "
                    + "of that name; rename it there, or take it out with --update-baseline")
        }
        let rates = self.rates
        var seen: Set<String> = []
        for definition in suite.members.map(\.definition)
        where rates[definition.id] != nil && !seen.insert(definition.id).inserted {
            throw ScriptProblem(
                "\(definition.file):\(definition.line): a baseline knows scenarios by their names, and \"\(definition.title)\" "
                    + "is declared twice; rename one")
        }
    }

    /// Forgets what is stored of scenarios that there are no more.
    mutating func forgetOrphans(_ suite: ScenarioSuite) {
        for (script, title) in self.orphans(suite) {
            self.files[script]?.rates[title] = nil
            self.files[script]?.isChanged = true
        }
    }

    /// Refuses to store the rates of scenarios none of which has one, unless what is stored is to be taken out.
    ///
    /// - Throws: ``ScriptProblem`` that says what gives a scenario a rate.
    func requireRates(of suite: ScenarioSuite) throws(ScriptProblem) {
        // What a file declares that cannot be loaded, nobody knows.
        guard !suite.members.isEmpty, suite.errors.isEmpty, !self.files.values.contains(where: \.isChanged),
            !suite.members.contains(where: \.definition.isPlayedInTries)
        else { return }
        let count = suite.members.count
        throw ScriptProblem(
            "--update-baseline: \(count == 1 ? "the scenario chosen has no" : "none of the \(count) scenarios chosen has a") rate "
                + "to store; write passes = { at_least = 0.9 } in its options, or leave --update-baseline out",
            isUsage: true)
    }

    /// Takes the rate of a scenario.
    private mutating func store(_ rate: RateBaseline, of definition: ScenarioDefinition) {
        guard let old = self.files[definition.file], old.rates[definition.title] != rate else { return }
        self.files[definition.file]?.rates[definition.title] = rate
        self.files[definition.file]?.isChanged = true
    }

    /// Stores the rates of scenarios that pass, and says so.
    ///
    /// - Parameters:
    ///   - played: What the tries of scenarios came to, by their ids.
    ///   - suite: The scenarios.
    ///   - isQuiet: Whether nothing is said that is no error.
    /// - Returns: False if a file could not be written; why not has been said.
    func storing(
        _ played: [String: (end: ScenarioEnd, passes: PassRate)], of suite: ScenarioSuite, secrets: SecretMasker,
        isQuiet: Bool, in environment: CommandEnvironment
    ) -> Bool {
        var files = self
        var text = ""
        for definition in suite.members.map(\.definition) {
            guard let (end, passes) = played[definition.id] else { continue }
            guard end.outcome == .passed else {
                text += "not stored as a baseline, for it did not pass: \(definition.id)\n"
                continue
            }
            files.store(
                RateBaseline(
                    passed: passes.rate.passed, of: passes.rate.tries,
                    fingerprint: definition.fingerprint.map(secrets.withoutValues)), of: definition)
        }
        for file in files.files.values.filter(\.isChanged).sorted(by: { $0.path < $1.path }) {
            guard environment.write(Array(Self.text(file.rates).utf8), to: file.path) else { return false }
            text += "stored \(file.path)\n"
        }
        if !isQuiet { environment.writeOutput(text) }
        return true
    }

    /// The text of a file: a line for each scenario, so that a difference shows which rates changed.
    private static func text(_ rates: [String: RateBaseline]) -> String {
        let lines = rates.sorted { $0.key < $1.key }.map { title, rate in
            let fingerprint = rate.fingerprint.map { ", \"fingerprint\": \(JSONValue.string($0))" } ?? ""
            return "    \(JSONValue.string(title)): "
                + "{ \"passed\": \(rate.passed), \"tries\": \(rate.tries)\(fingerprint) }"
        }
        return "{\n  \"format\": \(Self.format),\n  \"scenarios\": {\n\(lines.joined(separator: ",\n"))\n  }\n}\n"
    }
}
