import JSON

/// Where the text that a command sends stands among its arguments.
public struct SentText: Hashable, Sendable {
    private let argument: String

    /// Where it stands in the argument; nil if it is the argument.
    private let path: JSONPath?

    /// The text is an argument.
    public init(argument: String) {
        self.argument = argument
        self.path = nil
    }

    init(argument: String, path: JSONPath) {
        self.argument = argument
        self.path = path.isRoot ? nil : path
    }

    /// Returns the text, if there is one.
    public func text(in command: Command) -> String? {
        guard let value = command.arguments[self.argument] else { return nil }
        guard let path = self.path else { return value.string }
        return Self.parsed(value).flatMap { path.values(in: $0).first?.string }
    }

    /// Puts another text in its place.
    public func replace(in command: inout Command, with text: String) {
        guard let value = command.arguments[self.argument] else { return }
        var replaced = JSONValue.string(text)
        if let path = self.path {
            guard let parsed = Self.parsed(value) else { return }
            var isFirst = true
            replaced = path.replaced(in: parsed) { old in
                guard isFirst else { return old }
                isFirst = false
                return .string(text)
            }
            if value.string != nil { replaced = .string(replaced.description) }
        }
        var arguments = command.arguments
        arguments[self.argument] = replaced
        command = Command(command.name, arguments)
    }

    /// A text that is JSON is looked into as the value is that becomes one.
    private static func parsed(_ value: JSONValue) -> JSONValue? {
        guard let text = value.string else { return value }
        return try? JSONReader.read(text)
    }
}
