import JSON
import LuaRuntime
import Machines

/// The methods of `t` for what is set up and torn down: `t:use`, `t:defer`.
enum FixtureMethods {
    /// Both.
    static var all: [HostFunction] {
        [
            HostFunction("t:use", parameters: ["name"], suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                let execution = try script.playing("t:use")
                let name = try call.string(1)
                guard let fixture = script.declarations.fixtures[name] else {
                    let known = script.declarations.fixtures.keys.sorted()
                    let remedy =
                        known.isEmpty
                        ? "declare it with fixture(name, function(t) … end)"
                        : "there are \(known.joined(separator: ", "))"
                    throw HostError.usage(
                        "there is no fixture \"\(name)\""
                            + TextDistance.hint(name, among: known, otherwise: remedy))
                }
                if fixture.scope == .scenario {
                    guard execution.shared.isScenario else {
                        throw HostError.usage(
                            "\(execution.definition.title) outlives the scenario, so it cannot use the fixture \"\(name)\" of a scenario; give that the scope \"file\" or \"run\""
                        )
                    }
                    return try script.suspend(&call, "the fixture \(name)", for: .endOfThread(joined: nil)) {
                        (resume) throws(HostError) in
                        try execution.use(fixture) { resume($0.mapError { HostError($0) }) }
                    }
                }
                let part = script.part(of: fixture)
                return try script.suspend(&call, "the fixture \(name)") { resume in
                    execution.use(part) { result in
                        resume(result.map { $0.isNull ? .nil : .json($0) }.mapError { HostError($0) })
                    }
                    return {}
                }
            },
            HostFunction("t:defer", parameters: ["function"]) { (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                try script.playing("t:defer").defer(try call.function(1))
                return .returns
            },
        ]
    }
}

extension Script {
    /// What has to be played for a fixture of the file or the run.
    fileprivate func part(of fixture: FixtureDeclaration) -> SharedPart {
        SharedPart(
            key: .init(
                file: fixture.scope == .file ? self.file.name : nil,
                place: "\(fixture.position)", name: "fixture \(fixture.name)"),
            kind: .fixture(name: fixture.name), file: self.file, declaringFile: fixture.position.file,
            titlePath: ["fixture \(fixture.name)"], line: fixture.position.line)
    }

    /// What has to be played before the scenarios of a group, or of the file.
    func part(ofScope number: Int, titlePath: [String], line: Int) -> SharedPart {
        SharedPart(
            key: .init(file: self.file.name, place: "\(number)", name: titlePath.joined(separator: " › ")),
            kind: .hooks(scope: number, titlePath: titlePath), file: self.file, declaringFile: self.file.name,
            titlePath: titlePath, line: line)
    }
}
