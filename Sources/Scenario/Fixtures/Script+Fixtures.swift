import JSON
import LuaRuntime
import Machines

extension Script {
    /// Globals that are more than a line: fixtures and transcripts.
    static var ownFunctions: [HostFunction] { [Self.fixtureFunction, Self.transcriptFunction] }

    /// `fixture(name, options, body)`.
    static var fixtureFunction: HostFunction {
        HostFunction("fixture", parameters: ["name", "options", "body"]) { (call) throws(LuaFault) in
            let script = try call.script()
            try script.requireLoading("fixture")
            let name = try call.string(1)
            guard !name.isEmpty else { throw LuaFault("a fixture needs a name", kind: "usage") }
            let hasOptions = !call.isNil(3)
            let table = hasOptions ? try call.object(2) : [:]
            let options = try asFault { () throws(ScriptMistake) in
                try ArgumentChecker(call: "fixture", vault: script.settings.vault).record(
                    table, FixtureDeclaration.parameters)
            }
            let fixture = FixtureDeclaration(
                name: name, scope: options["scope"]?.string.flatMap(FixtureScope.init(rawValue:)) ?? .scenario,
                limit: options["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) },
                body: try call.function(hasOptions ? 3 : 2),
                position: call.scriptPosition ?? ScriptPosition(file: script.file.name, line: 0))
            try script.declarations.add(fixture)
            return .returns
        }
    }

    /// `t:use(name)` and `t:defer(function)`.
    static var fixtureMethods: [HostFunction] {
        [
            HostFunction("t:use", parameters: ["name"], suspends: true) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                let play = try script.playing("t:use")
                let name = try call.string(1)
                guard let fixture = script.declarations.fixtures[name] else {
                    let known = script.declarations.fixtures.keys.sorted()
                    let suggestion = TextDistance.suggestion(for: name, among: known)
                    throw LuaFault(
                        "there is no fixture \"\(name)\""
                            + (suggestion.map { "; did you mean \"\($0)\"?" }
                                ?? (known.isEmpty
                                    ? "; declare it with fixture(name, function(t) … end)"
                                    : "; there are \(known.joined(separator: ", "))")),
                        kind: "usage")
                }
                if fixture.scope == .scenario {
                    guard play.shared.isScenario else {
                        throw LuaFault(
                            "\(play.definition.title) outlives the scenario, so it cannot use the fixture \"\(name)\" of a scenario; give that the scope \"file\" or \"run\"",
                            kind: "usage")
                    }
                    return try script.suspend(&call, "the fixture \(name)", isForThread: true) {
                        (resume) throws(LuaFault) in
                        try play.use(fixture) { resume($0.mapError { LuaFault($0) }) }
                    }
                }
                let part = script.part(of: fixture)
                return try script.suspend(&call, "the fixture \(name)") { resume in
                    play.use(part) { result in
                        resume(result.map { $0.isNull ? .nil : .json($0) }.mapError { LuaFault($0) })
                    }
                    return {}
                }
            },
            HostFunction("t:defer", parameters: ["function"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                try script.playing("t:defer").defer(try call.function(1))
                return .returns
            },
        ]
    }

    /// What has to be played for a fixture of the file or the run.
    private func part(of fixture: FixtureDeclaration) -> SharedPart {
        SharedPart(
            key: .init(
                file: fixture.scope == .file ? self.file.name : nil,
                place: "\(fixture.position.file):\(fixture.position.line)", name: "fixture \(fixture.name)"),
            kind: .fixture(name: fixture.name), file: self.file, declaringFile: fixture.position.file,
            titlePath: ["fixture \(fixture.name)"], line: fixture.position.line)
    }

    /// What has to be played before the scenarios of a group, or of the file.
    func part(ofScope number: Int, titlePath: [String], line: Int) -> SharedPart {
        SharedPart(
            key: .init(file: self.file.name, place: "\(number)", name: "hooks"), kind: .hooks(scope: number),
            file: self.file, declaringFile: self.file.name, titlePath: titlePath + ["before_all and after_all"],
            line: line)
    }
}
