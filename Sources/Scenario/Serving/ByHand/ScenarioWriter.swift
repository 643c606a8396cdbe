import JSON
import Machines
import Secrets

/// The Lua text of a scenario that does again what a person did by hand, and expects what the person saw.
///
/// Messages and whatever else is not noise are expected, with those fields that are the same each time a conversation
/// is played; of noise, what the person saw last before doing something. The person's pauses stay, for servers have
/// timers; in virtual time they take none. A secret is asked for by its name, in place of its value.
struct ScenarioWriter {
    /// A property of a client at the end.
    struct EndState: Hashable, Sendable {
        let variable: String
        let property: String
        let value: JSONValue
    }

    /// What the scenario requires.
    let module: String
    let system: ChatSystem
    let secrets: SecretMasker

    /// Pauses are written in whole seconds, and those below half a second not at all.
    private static let leastPause: Int64 = 1

    /// Longer texts are not expected word for word.
    private static let textLimit = 500

    /// Fields of events that say what a person reads; others that are the same each time are told by their types.
    private static let textFields: Set<String> = ["text", "label"]

    /// A scenario that takes longer is given a limit of its own, in seconds.
    private static let usualLength: Int64 = 240

    /// Returns the variable that holds the system.
    static func holder(of module: String) -> String {
        // The server has its variable whatever the system is called.
        VariableName.make(
            of: module.split(separator: "/").last.map(String.init) ?? "", besides: [HandPlay.serverName])
    }

    /// Returns the text of the file.
    ///
    /// - Parameters:
    ///   - steps: What was done and seen, in the order of time.
    ///   - states: How the clients are now.
    ///   - end: What time it is now, since the conversation began.
    func text(_ steps: [PlayedStep], ending states: [EndState], at end: Duration) -> String {
        let refused = Set(steps.compactMap { if case .refused(let step, _) = $0.content { step } else { nil } })
        var lines: [String] = []
        var cast: [String: PlayedActor] = [:]
        var paused: Int64 = 0
        var names: Set<String> = []
        let holder = Self.holder(of: self.module)
        // What was seen last before a command, if no line expects it.
        var seen: PlayedStep?
        func write(_ step: PlayedStep, _ line: String) {
            // What is waited for lasts as long again, so that timers of the server find the same order.
            let pause = Int64((step.at / .seconds(1)).rounded()) - paused
            if pause >= Self.leastPause {
                lines.append("think(\"\(pause)s\")")
                paused += pause
            }
            lines.append(line)
        }
        for (number, step) in steps.enumerated() where !refused.contains(number) {
            switch step.content {
            case .observed(let name, let event, let isNoise):
                // Messages are what a conversation is about, also for those whose scripts need not expect them.
                guard isNoise, event.kind != .message else {
                    seen = nil
                    break
                }
                if event.kind != .typing, cast[name] != nil { seen = step }
                continue
            case .commanded:
                // The person had seen it: a script that is faster would give the command too early.
                if let last = seen, let line = self.line(last.content, &cast, &names, of: holder) { write(last, line) }
                seen = nil
            case .joined, .refused: break
            }
            if let line = self.line(step.content, &cast, &names, of: holder) { write(step, line) }
        }
        if !states.isEmpty {
            // A client may have come to its state without an event.
            let rest = max(1, Int64(((end - .seconds(paused)) / .milliseconds(100)).rounded(.up)))
            lines.append("think(\"\(Duration.milliseconds(100 * rest).scriptText)\")")
        }
        lines += states.map { state in
            "expect(\(state.variable).\(state.property), \(LuaLiteral.value(state.value)))"
        }
        let length = end.components.seconds
        let limit = length > Self.usualLength ? "{ timeout = \"\(length / 60 + 5)m\" }, " : ""
        var head = ["-- Played by hand on the page of `repartee serve --ui`."]
        if !names.isEmpty {
            head.append("-- The environment has what must not stand here: \(names.sorted().joined(separator: ", ")).")
        }
        head += ["local \(holder) = require \(LuaLiteral.string(self.module))", ""]
        head.append("scenario(\"a conversation that was played by hand\", \(limit)function(t)")
        return (head + lines.map { "    " + $0 } + ["end)"]).joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - names: Gets the names of secrets.
    ///   - holder: The variable of the system.
    private func line(
        _ content: PlayedStep.Content, _ cast: inout [String: PlayedActor], _ names: inout Set<String>,
        of holder: String
    ) -> String? {
        switch content {
        case .joined(let actor):
            cast[actor.name] = actor
            let make: String
            switch actor.role {
            case .server: make = "t:server(\(self.call(holder, actor, self.system.server.options, &names)))"
            case .client: make = "t:actor(\(self.call(holder, actor, self.system.client.options, &names)))"
            case .party(let kind):
                guard let server = cast.values.first(where: { $0.role == .server }) else { return nil }
                make = "\(server.variable):\(kind)(\(LuaLiteral.string(actor.name)))"
            }
            return "local \(actor.variable) = \(make)"
        case .commanded(let name, let method, let arguments):
            guard let actor = cast[name] else { return nil }
            var values = method.parameters.map { parameter in
                let value = arguments[parameter.name] ?? .null
                if parameter.type == .actor, let other = value.string.flatMap({ cast[$0] }) { return other.variable }
                return self.literal(value, of: parameter, &names)
            }
            while values.last == "nil" { values.removeLast() }
            return "\(actor.variable):\(method.name)(\(values.joined(separator: ", ")))"
        case .observed(let name, let event, _):
            guard let actor = cast[name] else { return nil }
            return self.expectation(event, of: actor)
        case .refused: return nil
        }
    }

    private func call(
        _ holder: String, _ actor: PlayedActor, _ declared: [ParameterDeclaration], _ names: inout Set<String>
    ) -> String {
        var options = actor.options
        if actor.role == .client { options["name"] = .string(actor.name) }
        return options.isEmpty ? holder : "\(holder), \(self.table(options, declared, &names))"
    }

    /// Writes a value, and a secret by the name of a variable of the environment.
    private func literal(
        _ value: JSONValue, of parameter: ParameterDeclaration, _ names: inout Set<String>
    ) -> String {
        guard !value.isNull else { return "nil" }
        if case .record(let members) = parameter.type, let object = value.object, !parameter.isSecret {
            return self.table(object, members, &names)
        }
        let isHidden = parameter.isSecret || self.isMasked(value, as: parameter.name)
        guard isHidden else { return LuaLiteral.value(value) }
        let name = String(parameter.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        names.insert(name)
        return "secret(\(LuaLiteral.string(name)))"
    }

    private func isMasked(_ value: JSONValue, as name: String) -> Bool {
        self.secrets.masked([name: value], keepingNames: true)[name] != value
    }

    private func table(
        _ members: JSONObject, _ declared: [ParameterDeclaration], _ names: inout Set<String>
    ) -> String {
        let items = members.compactMap { name, value -> String? in
            guard !value.isNull else { return nil }
            let parameter =
                declared.first { $0.name == name } ?? ParameterDeclaration(name, .json, optional: true, "")
            return "\(LuaLiteral.key(name)) = \(self.literal(value, of: parameter, &names))"
        }
        return items.isEmpty ? "{}" : "{ \(items.joined(separator: ", ")) }"
    }

    private func expectation(_ event: ChatEvent, of actor: PlayedActor) -> String {
        let fields = actor.events(in: self.system).first { $0.kind == event.kind }?.fields ?? []
        let stable = event.fields.filter { name, value in
            guard !value.isNull, !self.isMasked(value, as: name) else { return false }
            switch fields.first(where: { $0.name == name })?.type {
            case .choice, .boolean: return true
            default:
                return Self.textFields.contains(name)
                    && value.string.map { $0.utf8.count <= Self.textLimit } ?? false
            }
        }
        let kind = LuaLiteral.string(event.kind.rawValue)
        guard !stable.isEmpty else { return "\(actor.variable):expect(\(kind))" }
        return "\(actor.variable):expect(\(kind), \(LuaLiteral.value(.object(JSONObject(stable)))))"
    }
}
