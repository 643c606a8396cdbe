import ArgumentParser
import FoundationEssentials
import Scenario

/// The options about models that judge texts.
struct ModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The answers of models that judge texts: where the file exists, no model is asked.", valueName: "file"))
    var cassette: String?

    @Flag(help: "Asks models what the cassette does not answer, and keeps their answers in it.")
    var record = false

    func validate() throws {
        guard self.record, let cassette = self.cassette, cassette.lowercased().hasSuffix(".lua") else { return }
        throw ValidationError("--cassette \(cassette): a script would be lost; name another file")
    }

    /// The name of the cassette in the folder of a project, unless the command line gives one.
    static let standardName = "cassette.jsonl"

    /// Returns the absolute path of the cassette.
    func path(_ project: ProjectFolder, in environment: CommandEnvironment) -> String {
        self.cassette.map(environment.path) ?? project.root + "/" + Self.standardName
    }

    /// Opens what asks models for scenarios.
    ///
    /// - Throws: ``ScriptProblem`` if the cassette is missing that the command line names, or cannot be read.
    func client(
        _ configuration: ProjectConfiguration, _ project: ProjectFolder, in environment: CommandEnvironment
    ) throws(ScriptProblem) -> ModelClient {
        let path = self.path(project, in: environment)
        let name = self.cassette ?? Self.standardName
        var text: String?
        if FileManager.default.fileExists(atPath: path) {
            guard let data = FileManager.default.contents(atPath: path),
                let content = String(validating: data, as: UTF8.self)
            else { throw ScriptProblem("\(name) cannot be read as text in UTF-8; check its permissions") }
            text = content
        } else if self.cassette != nil, !self.record {
            throw ScriptProblem(
                "there is no cassette \(name); add --record to ask models and keep their answers in it", isUsage: true)
        }
        return try ModelClient(
            configuration, cassette: text, name: name, mode: text == nil || self.record ? .ask : .replay)
    }
}
