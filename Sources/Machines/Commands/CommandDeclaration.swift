public import JSON

/// One command: its name, its parameters and what it becomes.
public struct CommandDeclaration<Action: Sendable>: Sendable {
    /// What scripts, editors and the reference see.
    public let method: MethodDeclaration

    @usableFromInline let decode: @Sendable (Command) throws(CommandError) -> Action

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - name: The name of the method.
    ///   - parameters: Its parameters in order.
    ///   - result: What it returns to the script.
    ///   - isFault: Whether it makes a server or a connection fail.
    ///   - text: The parameter that is a text to the other side, if there is one.
    ///   - summary: What it does; one or two sentences.
    ///   - action: Makes the case of the machine's enumeration from the arguments.
    @inlinable
    public init<each Value: Sendable>(
        _ name: String, _ parameters: repeat Parameter<each Value>, returns result: ScriptType = .nothing,
        isFault: Bool = false, sends text: String? = nil, summary: String,
        as action: @escaping @Sendable (repeat each Value) -> Action
    ) {
        var declarations: [ParameterDeclaration] = []
        for parameter in repeat each parameters { declarations.append(parameter.declaration) }
        self.method = MethodDeclaration(name, declarations, returns: result, isFault: isFault, sends: text, summary)
        self.decode = { (command) throws(CommandError) in
            action(repeat try (each parameters).value(in: command.arguments, of: name))
        }
    }

    /// Declares a command whose only argument goes out as JSON.
    ///
    /// - Parameters:
    ///   - name: The name of the method.
    ///   - parameter: Its parameter.
    ///   - summary: What it does; one or two sentences.
    ///   - action: Makes the case of the machine's enumeration from the argument.
    ///   - textAction: Makes it from the JSON text of the argument.
    public init(
        _ name: String, encoding parameter: Parameter<JSONValue>, summary: String,
        as action: @escaping @Sendable (JSONValue) -> Action, asText textAction: @escaping @Sendable (String) -> Action
    ) {
        self.method = MethodDeclaration(name, [parameter.declaration], takesJSONText: true, summary)
        self.decode = { (command) throws(CommandError) in
            if let text = command.jsonText { return textAction(text) }
            return action(try parameter.value(in: command.arguments, of: name))
        }
    }
}

extension CommandDeclaration {
    /// The same command, as a case of a larger enumeration: commands that need the same can be declared together.
    @inlinable
    public func mapped<Other: Sendable>(
        _ transform: @escaping @Sendable (Action) -> Other
    ) -> CommandDeclaration<Other> {
        let decode = self.decode
        return CommandDeclaration<Other>(
            method: self.method, decode: { (command) throws(CommandError) in transform(try decode(command)) })
    }

    @inlinable
    init(method: MethodDeclaration, decode: @escaping @Sendable (Command) throws(CommandError) -> Action) {
        self.method = method
        self.decode = decode
    }
}

extension Parameter {
    @inlinable
    func value(in arguments: JSONObject, of command: String) throws(CommandError) -> Value {
        let name = self.declaration.name
        let given = arguments[name]
        guard let value = given.map(self.read) ?? self.absent else {
            let found = given.map { ", not \($0)" } ?? ""
            throw CommandError("\(command) needs the argument \"\(name)\" as it is declared\(found)")
        }
        return value
    }
}
