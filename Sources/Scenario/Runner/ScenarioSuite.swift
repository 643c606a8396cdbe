public import RunRecord

/// The scenarios that files declare, in the order of the files and their lines.
public struct ScenarioSuite: Sendable {
    /// A scenario and the file that it comes from.
    public struct Member: Sendable {
        public let definition: ScenarioDefinition
        let file: ScriptFile
    }

    /// The scenarios.
    public private(set) var members: [Member] = []

    /// Files that could not be loaded, with what is wrong.
    public private(set) var errors: [Problem] = []

    /// Loads files and collects what they declare; nothing is played.
    ///
    /// - Parameters:
    ///   - files: The files, in order.
    ///   - settings: What scripts can require and read.
    public init(_ files: [ScriptFile], settings: PlaySettings) {
        let engine = ScriptEngine()
        defer { engine.close() }
        for file in files {
            var file = file
            do throws(ScenarioFailure) {
                file.chunk = try Script.compile(file)
                let script = try Script(file, selecting: nil, settings: settings, seed: settings.seed, engine: engine)
                defer { script.close() }
                for var definition in script.declarations.definitions {
                    definition.titlePath = definition.titlePath.map { script.secrets.masked($0) }
                    self.members.append(Member(definition: definition, file: file))
                }
            } catch {
                let excerpt = error.position.map { SourceExcerpt(source: file.source, line: $0.line).rendered } ?? []
                self.errors.append(
                    Problem(
                        category: .error, typeName: error.typeName, message: error.message,
                        detail: error.rendered(excerpt: error.position?.file == file.name ? excerpt : []),
                        file: error.position?.file ?? file.name, line: error.position?.line))
            }
        }
    }

    /// Keeps the scenarios that a selection chooses.
    public func selecting(_ selection: ScenarioSelection) -> ScenarioSuite {
        var suite = self
        suite.members = self.members.filter { selection.includes($0.definition) }
        return suite
    }
}
