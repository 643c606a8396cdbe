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
