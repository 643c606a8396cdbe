import LuaRuntime
import Machines
import Testing

@testable import Scenario

@Suite("The language and its reference")
struct LanguageReferenceTests {
    /// Loads a script that asks for every name; the first one that is missing ends it with an error.
    private func load(_ names: [String]) throws {
        let checks = names.map { "if \($0) == nil then error(\"\($0) is missing\") end" }.joined(separator: "\n")
        let settings = ExecutionSettings(
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
        arguments: [("", LanguageReference.globals)]
            + LanguageReference.tables.map { ($0.name + ".", $0.functions) })
    func declared(table: String, functions: [MethodDeclaration]) throws {
        try self.load(functions.map { table + $0.name })
    }

    @Test("a name that no script finds is noticed")
    func missing() {
        #expect(throws: ScenarioFailure.self) { try self.load(["no_such_function"]) }
    }

    @Test("The context, actors and forms have the methods that the reference declares, and no others")
    func methods() throws {
        let engine = ScriptEngine()
        defer { engine.close() }
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let script = try Script(
            ScriptFile(name: "reference.lua", source: ""), selecting: nil, settings: settings, seed: 1, engine: engine)
        defer { script.close() }
        // `persona` is made by the prelude of what a model writes and what the script does with it.
        let methods = Set(ContextMethods.all.map(\.name)).union(["t:persona"])
        #expect(methods == Set(LanguageReference.testContext.map { "t:" + $0.name }))
        #expect(Set(FormMethods.all.map(\.name)) == Set(LanguageReference.form.map { "form:" + $0.name }))
        // `never` is made by the prelude of a guard and its end.
        let bound = Set(ExpectationMethods.all(of: "actor").map(\.0)).filter { !$0.hasPrefix("@") }
        #expect(bound.union(["never"]) == Set(LanguageReference.actor.map(\.name)))
        for (name, function) in ExpectationMethods.all(of: "actor") {
            guard let declared = LanguageReference.actor.first(where: { $0.name == name }) else { continue }
            #expect(function.parameters == declared.parameters.map(\.name), "\(name)")
        }
        for function in ContextMethods.all {
            let declared = LanguageReference.testContext.first { "t:" + $0.name == function.name }
            #expect(function.parameters == declared?.parameters.map(\.name), "\(function.name)")
        }
    }
}
