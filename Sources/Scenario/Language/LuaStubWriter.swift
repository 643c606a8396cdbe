import Machines

/// Writes the annotations of ``LuaStubs`` line by line.
struct LuaStubWriter {
    private(set) var text = ""

    /// Writes a line, without a space behind what has no summary.
    mutating func line(_ line: String) {
        self.text += line.hasSuffix(" ") ? line.dropLast() : line[...]
        self.text += "\n"
    }

    /// Whether a declaration stands for a value and not for a function: `match.any` and `match.absent`.
    static func isValue(_ declaration: MethodDeclaration) -> Bool {
        declaration.parameters.isEmpty && declaration.summary.contains("a value, not a function")
    }

    /// Begins a class and the variable that its methods belong to.
    ///
    /// - Parameter isOpen: Whether scripts may put members of their own into it.
    mutating func classHeader(
        _ name: String, _ summary: String, fields: [ParameterDeclaration] = [], variable: String? = nil,
        isOpen: Bool = false
    ) {
        self.line("---\(Self.oneLine(summary))")
        self.line("---@class \(name)")
        for field in fields { self.field(field, LuaTypeText.text(field.type)) }
        if isOpen { self.line("---@field [string] any Whatever the script keeps there.") }
        let last = name.prefix { $0 != ":" }.split(separator: ".").last.map(String.init) ?? name
        self.line("local \(variable ?? last) = {}")
        self.line("")
    }

    private mutating func field(_ field: ParameterDeclaration, _ type: String) {
        self.line(
            "---@field \(LuaTypeText.key(field.name, isOptional: field.isOptional)) \(type) \(Self.oneLine(field.summary))"
        )
    }

    /// Writes a table of declared members as a class, and the tables within it.
    mutating func table(_ name: String, _ summary: String, _ members: [ParameterDeclaration]) {
        for member in members {
            if case .record(let inner) = member.type { self.table("\(name).\(member.name)", member.summary, inner) }
        }
        self.line("---\(Self.oneLine(summary))")
        self.line("---@class \(name)")
        for member in members { self.field(member, LuaTypeText.text(member.type, record: "\(name).\(member.name)")) }
        self.line("")
    }

    /// Whether a field called `form` is one, and not the name of one.
    private static func holdsForm(_ field: ParameterDeclaration) -> Bool {
        switch field.type {
        case .record, .json: true
        default: false
        }
    }

    /// Writes a class for each kind of event.
    mutating func events(
        _ events: [EventDeclaration], noise: [EventPattern], strictKinds: Set<EventKind> = [], prefix: String
    ) {
        for event in events {
            let fields = event.fields.map { field in
                field.name == "form" && Self.holdsForm(field)
                    ? "---@field form repartee.form \(Self.oneLine(field.summary))"
                    : "---@field \(LuaTypeText.key(field.name, isOptional: true)) \(LuaTypeText.text(field.type)) "
                        + Self.oneLine(field.summary)
            }
            self.line("---\(Self.oneLine(event.summary(noise: noise, strictKinds: strictKinds)))")
            self.line("---@class \(prefix).\(event.kind.rawValue)")
            for field in fields { self.line(field) }
            self.line("---@field raw? any The wire form.")
            self.line("---@field captures? table<string, any> What `match.capture` took from the fields.")
            self.line("")
        }
    }

    /// The overloads of what waits for events, so that an editor knows the fields of what comes back.
    func expectations(_ events: [EventDeclaration], receiver: String, prefix: String) -> [String: [String]] {
        let overloads = events.map { event in
            let name = event.kind.rawValue
            return "fun(self: \(receiver), what: \"\(name)\", fields?: table, options?: table): \(prefix).\(name)"
        }
        return ["expect": overloads, "check": overloads, "expect_next": overloads, "maybe": overloads]
    }

    /// Writes methods of a variable.
    ///
    /// - Parameters:
    ///   - variable: The variable that stands for the class.
    ///   - context: The name of the class.
    ///   - returnsSelf: The methods that return what they are called on.
    ///   - results: What methods return, by method, where it is more than their declaration says.
    ///   - types: The types of parameters, by their name, where their declaration leaves any value.
    ///   - overloads: More signatures by method; with one of them the method's own signature has these `types`.
    mutating func methods(
        _ methods: [MethodDeclaration], of variable: String, context: String, returnsSelf: Set<String> = [],
        results: [String: String] = [:], types: [String: String] = [:], overloads: [String: [String]] = [:]
    ) {
        for method in methods {
            let more = overloads[method.name] ?? []
            self.function(
                method, named: "\(variable):\(method.name)", context: context,
                result: returnsSelf.contains(method.name) ? context : results[method.name],
                types: more.isEmpty ? [:] : types, overloads: more)
        }
    }

    /// Writes a function, after the classes of the tables that it takes.
    ///
    /// Servers take the first signature that fits a call, and `any` fits each: a function with overloads says in
    /// `types` what its own signature is for.
    mutating func function(
        _ function: MethodDeclaration, named name: String, context: String, result: String? = nil,
        types: [String: String] = [:], overloads: [String] = []
    ) {
        for parameter in function.parameters {
            if case .record(let members) = parameter.type {
                self.table("\(context).\(function.name).\(parameter.name)", parameter.summary, members)
            }
        }
        func type(_ parameter: ParameterDeclaration) -> String {
            if let type = types[parameter.name] { return type }
            if case .function = parameter.type, ["body", "hook"].contains(parameter.name),
                parameter.summary.contains("`t`")
            {
                return "fun(t: repartee.t, row: any)"
            }
            return LuaTypeText.text(parameter.type, record: "\(context).\(function.name).\(parameter.name)")
        }
        self.line("---\(Self.oneLine(function.summary))")
        for parameter in function.parameters {
            let mark = parameter.isOptional ? "?" : ""
            self.line(
                "---@param \(Self.name(parameter.name))\(mark) \(type(parameter)) \(Self.oneLine(parameter.summary))")
        }
        let returned = result ?? (function.result == .nothing ? nil : LuaTypeText.text(function.result))
        if let returned { self.line("---@return \(returned)") }
        for overload in overloads { self.line("---@overload \(overload)") }
        if let shorter = Self.shorterParameters(function.parameters) {
            let list = shorter.map { "\(Self.name($0.name)): \(type($0))" }.joined(separator: ", ")
            self.line("---@overload fun(\(list))" + (returned.map { ": \($0)" } ?? ""))
        }
        let names = function.parameters.map { Self.name($0.name) }
        if Self.name(function.name) == function.name {
            self.line("function \(name)(\(names.joined(separator: ", "))) end")
        } else {
            // A word of Lua is no name of a function; scripts reach it as a member.
            let receiver = name.prefix { $0 != ":" && $0 != "." }
            let list = (["self"] + names).joined(separator: ", ")
            self.line("\(receiver)[\"\(function.name)\"] = function(\(list)) end")
        }
        self.line("")
    }

    /// The parameters without an optional one in the middle, which may be left out: `scenario(name, body)`.
    private static func shorterParameters(_ parameters: [ParameterDeclaration]) -> [ParameterDeclaration]? {
        guard let last = parameters.last, !last.isOptional,
            parameters.dropLast().contains(where: \.isOptional)
        else { return nil }
        return parameters.filter { !$0.isOptional }
    }

    /// A name that is a word of Lua gets an underscore.
    private static func name(_ name: String) -> String {
        let words: Set<String> = [
            "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
            "nil",
            "not", "or", "repeat", "return", "then", "true", "until", "while",
        ]
        return words.contains(name) ? name + "_" : name
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
