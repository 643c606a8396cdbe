import ChatCore
import Testing

@testable import Scenario

@Suite("The language and its reference")
struct LanguageReferenceTests {
    /// Loads a script that asks for every name; the first one that is missing ends it with an error.
    private func load(_ names: [String]) throws {
        let checks = names.map { "if \($0) == nil then error(\"\($0) is missing\") end" }.joined(separator: "\n")
        let settings = PlaySettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let engine = ScriptEngine()
        defer { engine.close() }
        let script = try Script(
            ScriptFile(name: "reference.lua", source: checks), selecting: nil, settings: settings, seed: 1,
            engine: engine)
        script.close()
    }

    @Test(
        "a script finds every function that the reference declares",
        arguments: [
            ("", LanguageReference.globals), ("match.", LanguageReference.match), ("random.", LanguageReference.random),
            ("json.", LanguageReference.json), ("log.", LanguageReference.log), ("mailbox.", LanguageReference.mailbox),
            ("metric.", LanguageReference.metric),
            ("date.", LanguageReference.date), ("utterances.", LanguageReference.utterances),
        ])
    func declared(table: String, functions: [MethodDeclaration]) throws {
        try self.load(functions.map { table + $0.name })
    }

    @Test("a name that no script finds is noticed")
    func missing() {
        #expect(throws: ScenarioFailure.self) { try self.load(["no_such_function"]) }
    }
}
