public import JSON

/// What scripts can ask of a machine: each command declared once, with the case of the machine's own enumeration that
/// it becomes.
///
/// From it come the methods that scripts find on an actor, the check of their arguments, the editor annotations, the
/// reference page, and the value that the machine switches over, which the compiler holds complete. It is inlinable so
/// that each system's module decodes its own commands without a look-up of types at run time.
public struct CommandSet<Action: Sendable>: Sendable {
    /// The methods, in the order in which they are documented.
    public let methods: [MethodDeclaration]

    /// Returns what a command asks for, or throws what names the command or the argument that cannot be used.
    public let decode: @Sendable (Command) throws(CommandError) -> Action

    /// Collects commands.
    ///
    /// - Parameter refusals: What is said of methods that scripts find on the actor but that this machine lacks, by
    ///   their names: those of another role of the same system.
    @inlinable
    public init(_ declarations: [CommandDeclaration<Action>], refusals: [String: String] = [:]) {
        let byName = Dictionary(declarations.map { ($0.method.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.methods = declarations.map(\.method)
        self.decode = { (command) throws(CommandError) in
            guard let declaration = byName[command.name] else {
                if let refusal = refusals[command.name] { throw CommandError(refusal) }
                throw CommandError(
                    "there is no method \"\(command.name)\" here"
                        + TextDistance.hint(command.name, among: byName.keys.sorted()))
            }
            return try declaration.decode(command)
        }
    }
}

extension CommandSet where Action == Command {
    /// No declarations: the machine gets each command as it is.
    public static var undecoded: CommandSet { CommandSet(methods: []) { (command) throws(CommandError) in command } }

    private init(
        methods: [MethodDeclaration], decode: @escaping @Sendable (Command) throws(CommandError) -> Command
    ) {
        self.methods = methods
        self.decode = decode
    }
}

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

/// Why a command cannot be carried out: what is wrong and what to do.
public struct CommandError: Error, Hashable, Sendable {
    /// What a script reads as its error; one or two sentences.
    public let message: String

    /// Creates a refusal.
    public init(_ message: String) { self.message = message }
}
