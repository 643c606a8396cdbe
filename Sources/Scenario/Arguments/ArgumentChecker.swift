import JSON
import Machines
import Secrets

/// Checks what a script passed to a declared function against its declaration.
struct ArgumentChecker {
    /// How the call reads in messages: `visitor:say`.
    private let call: CallName

    /// What the members of a table are called in messages: `option`, `field`, `member`.
    private var member: String

    /// What must not be seen: it is taken out of a message before a value is cut, and gets the secrets that are passed.
    private let vault: SecretVault?

    /// Whether a message first says what was found: what a peer sent is as it is, and not what it was to be.
    var beginsWithFound = false

    /// Creates a checker for a function.
    init(call: String, member: String = "option", vault: SecretVault? = nil) {
        self.init(call: CallName(function: call), member: member, vault: vault)
    }

    /// Creates a checker for a call whose name is put together where somebody reads it.
    init(call: CallName, member: String = "option", vault: SecretVault? = nil) {
        self.call = call
        self.member = member
        self.vault = vault
    }

    /// Checks positional arguments and returns them by name; nil and absent ones are left out.
    ///
    /// - Throws: ``UsageError`` that names the parameter, what it takes and what it got.
    func arguments(_ values: [JSONValue], _ parameters: [ParameterDeclaration]) throws(UsageError) -> JSONObject {
        // A nil at the end is what a variable without a value leaves there, and asks for nothing.
        let count = (values.lastIndex { !$0.isNull } ?? -1) + 1
        guard count <= parameters.count else {
            throw UsageError("\(self.call) takes \(Self.count(parameters.count)), not \(count)")
        }
        var arguments = JSONObject()
        for (index, parameter) in parameters.enumerated() {
            let value = index < values.count ? values[index] : .null
            if value.isNull, parameter.type != .json || parameter.isOptional {
                guard parameter.isOptional else {
                    let summary = parameter.summary.isEmpty ? parameter.type.kind : parameter.summary
                    throw UsageError("\(self.call) needs \(parameter.name): \(summary)")
                }
                continue
            }
            arguments[parameter.name] = try self.checked(value, of: parameter)
        }
        return arguments
    }

    /// Checks the arguments of a call of a method, and returns them by name: one after the other, or in one table by
    /// their names where the first parameter takes no table, so that nobody writes nil for those that are left out.
    ///
    /// - Throws: ``UsageError`` that names the parameter, what it takes and what it got.
    func named(_ values: [JSONValue], _ parameters: [ParameterDeclaration]) throws(UsageError) -> JSONObject {
        guard let members = values.first?.object, !members.isEmpty, values.dropFirst().allSatisfy(\.isNull),
            let first = parameters.first, !first.type.takesTables,
            members.allSatisfy({ name, _ in parameters.contains { $0.name == name } })
        else { return try self.arguments(values, parameters) }
        var checker = self
        checker.member = "argument"
        return try checker.record(members, parameters)
    }

    /// Checks the members of a table and returns them.
    ///
    /// - Throws: ``UsageError`` that names the member, with a suggestion if it is misspelt.
    func record(_ members: JSONObject, _ parameters: [ParameterDeclaration]) throws(UsageError) -> JSONObject {
        // A system in Lua passes here with each event, so declarations are looked at where they lie.
        var checked: [JSONObject.Member] = []
        checked.reserveCapacity(members.count)
        var requiredCount = 0
        for (name, value) in members {
            guard let place = parameters.firstIndex(where: { $0.name == name }) else {
                throw UsageError(
                    UnknownMember.text(
                        name, of: "\(self.call)", as: "\(self.member)", among: parameters.map(\.name)))
            }
            checked.append(.init(name: name, value: try self.checked(value, of: parameters[place])))
            if parameters[place].isSecret, let secret = value.string { self.vault?.add(secret, isLearnt: true) }
            if !parameters[place].isOptional { requiredCount += 1 }
        }
        let result = JSONObject(uniqueMembers: checked)
        // Names are unique, so that which one is missing needs to be looked for only where one is.
        if requiredCount < parameters.lazy.filter({ !$0.isOptional }).count,
            let missing = parameters.first(where: { !$0.isOptional && result[$0.name] == nil })
        {
            let summary = missing.summary.isEmpty ? "" : ": \(missing.summary)"
            throw UsageError("\(self.call) needs the \(self.member) \(missing.name)\(summary)")
        }
        return result
    }

    private func checked(_ value: JSONValue, of parameter: ParameterDeclaration) throws(UsageError) -> JSONValue {
        let checked = try self.checked(value, parameter.type, parameter.name)
        if let least = parameter.least, let duration = Self.duration(checked), duration < least {
            throw UsageError(
                "\(self.call): \(parameter.name) is a duration of at least \(least.scriptText), not \(duration.scriptText)"
            )
        }
        guard let range = parameter.range, let number = checked.integer, !range.contains(number) else { return checked }
        let bounds =
            range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
        throw UsageError("\(self.call): \(parameter.name) is a whole number \(bounds), not \(number)")
    }

    private func checked(_ value: JSONValue, _ type: ScriptType, _ name: String) throws(UsageError) -> JSONValue {
        func mistake(_ wanted: String) -> UsageError {
            let shown = (self.vault?.masked(value) ?? value).description.shortened(to: 60)
            return UsageError(
                "\(self.call): \(name) is "
                    + (self.beginsWithFound ? "\(shown), not \(wanted)" : "\(wanted), not \(shown)"))
        }
        if let function = PassedFunction(value) {
            guard type == .function else { throw self.uncalled(name) }
            return .integer(function.number)
        }
        switch type {
        case .string:
            guard value.string != nil else { throw mistake("a string") }
        case .file:
            guard value.string?.isEmpty == false else { throw mistake("the path of a file") }
        case .number:
            guard value.double != nil else { throw mistake("a number") }
        case .integer:
            guard let integer = value.integer else { throw mistake("an integer") }
            return .integer(integer)
        case .function: throw mistake("a function")
        case .boolean:
            guard value.bool != nil else { throw mistake("true or false") }
        case .duration:
            guard let duration = Self.duration(value) else {
                throw mistake("a duration such as \"250ms\", \"2s\", \"5m\" or a number of seconds")
            }
            return .double(duration.scriptSeconds)
        case .choice(let words):
            guard let word = value.string, words.contains(where: { $0.hasSameBytes(as: word) }) else {
                throw mistake("one of " + words.map { "\"\($0)\"" }.joined(separator: ", "))
            }
        case .list(let element):
            guard let elements = value.array ?? (value.object?.isEmpty == true ? [] : nil) else {
                throw mistake("a list")
            }
            var checked: [JSONValue] = []
            for item in elements { checked.append(try self.checked(item, element, name)) }
            return .array(checked)
        case .map(let element):
            guard let members = value.object else { throw mistake("a table") }
            var checked = JSONObject()
            for (key, item) in members { checked[key] = try self.checked(item, element, "\(name).\(key)") }
            return .object(checked)
        case .record(let members):
            guard let table = value.object else { throw mistake("a table") }
            return .object(try ArgumentChecker(call: "\(self.call) \(name)", vault: self.vault).record(table, members))
        case .either(let alternatives):
            guard let fitting = ScriptType.first(of: alternatives, taking: value) else {
                throw mistake(alternatives.map(\.kind).joined(separator: " or "))
            }
            return try self.checked(value, fitting, name)
        case .actor:
            guard value.object != nil else { throw mistake("an actor") }
        case .json, .nothing:
            guard !PassedFunction.stands(in: value) else { throw self.uncalled(name) }
        }
        return value
    }

    /// The mistake of a script that gives a function where it meant what the function returns.
    private func uncalled(_ name: String) -> UsageError {
        UsageError("\(self.call): \(name) takes no function; did you forget the parentheses that call it?")
    }

    /// Returns a duration that a script wrote as text with a unit or as a number of seconds.
    static func duration(_ value: JSONValue) -> Duration? {
        value.string.flatMap(Duration.init(scriptText:)) ?? value.double.flatMap(Duration.init(scriptSeconds:))
    }

    private static func count(_ number: Int) -> String {
        number == 0 ? "no arguments" : number == 1 ? "one argument" : "at most \(number) arguments"
    }
}

extension ScriptType {
    /// Whether a table may be one of its values.
    var takesTables: Bool {
        switch self {
        case .string, .number, .integer, .boolean, .duration, .choice, .file, .function, .nothing: false
        case .either(let alternatives): alternatives.contains { $0.takesTables }
        case .json, .record, .map, .list, .actor: true
        }
    }
}
