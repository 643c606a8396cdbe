public import JSON

/// A declared parameter of a command together with how its value is read, so that neither is written twice.
public struct Parameter<Value: Sendable>: Sendable {
    /// The declaration, from which scripts are checked and the reference is made.
    public let declaration: ParameterDeclaration

    /// Returns the value of an argument that is given, or nil if it is of another type.
    @usableFromInline let read: @Sendable (JSONValue) -> Value?

    /// What it is where it is left out; nil if it must be given.
    @usableFromInline let absent: Value?

    /// Creates a parameter that must be given.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type that scripts must give.
    ///   - summary: What it means, with its unit; one sentence.
    ///   - read: Returns the value of an argument, or nil if it is of another type.
    public init(
        _ name: String, _ type: ScriptType, _ summary: String, read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(ParameterDeclaration(name, type, summary), read: read)
    }

    private init(
        _ declaration: ParameterDeclaration, absent: Value? = nil, read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.declaration = declaration
        self.absent = absent
        self.read = read
    }

    /// The same parameter, but it may be left out.
    public var optional: Parameter<Value?> {
        let read = self.read
        return Parameter<Value?>(self.declaration.optional, absent: .some(nil)) { value in
            value.isNull ? .some(nil) : read(value).map { .some($0) }
        }
    }
}

extension Parameter where Value == String {
    /// A text.
    public static func string(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .string, summary) { $0.string }
    }
}

extension Parameter where Value == Int64 {
    /// A whole number, within a range if one is given.
    public static func integer(
        _ name: String, in range: ClosedRange<Int64>? = nil, _ summary: String
    ) -> Parameter {
        Parameter(ParameterDeclaration(name, .integer, in: range, summary)) { $0.integer }
    }
}

extension Parameter where Value == Bool {
    /// Yes or no.
    public static func boolean(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .boolean, summary) { $0.bool }
    }
}

extension Parameter where Value == Double {
    /// A number.
    public static func number(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .number, summary) { $0.double }
    }
}

extension Parameter where Value == Duration {
    /// A length of time.
    public static func duration(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .duration, summary) { $0.double.flatMap(Duration.init(scriptSeconds:)) }
    }
}

extension Parameter where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One word of an enumeration.
    public static func choice(_ name: String, of words: Value.Type, _ summary: String) -> Parameter {
        Parameter(name, .choice(words.allCases.map(\.rawValue)), summary) { $0.string.flatMap(Value.init(rawValue:)) }
    }
}

extension Parameter where Value == [String] {
    /// A list of texts.
    public static func strings(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .list(.string), summary) { $0.array?.compactMap(\.string) }
    }
}

extension Parameter where Value == JSONValue {
    /// Any value that JSON can hold. Lua cannot tell null from nothing, so a value that is missing is null.
    public static func json(_ name: String, _ summary: String) -> Parameter {
        Parameter(ParameterDeclaration(name, .json, summary), absent: .null) { $0 }
    }
}

extension Parameter where Value == JSONObject {
    /// A table with certain members.
    public static func record(_ name: String, _ members: [ParameterDeclaration], _ summary: String) -> Parameter {
        Parameter(name, .record(members), summary, read: Self.object)
    }

    /// A table with any members of a type.
    public static func map(_ name: String, _ type: ScriptType, _ summary: String) -> Parameter {
        Parameter(name, .map(type), summary, read: Self.object)
    }

    /// An actor of the scenario, which arrives as its identity.
    public static func actor(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, .actor, summary, read: Self.object)
    }

    private static func object(_ value: JSONValue) -> JSONObject? {
        // An empty table of Lua is an empty list.
        if let object = value.object { return object }
        return value.array?.isEmpty == true ? [:] : nil
    }
}

extension Parameter where Value == JSONValue? {
    /// Any value that JSON can hold, or nothing; here null that is given is null.
    public static func optionalJSON(_ name: String, _ summary: String) -> Parameter {
        Parameter(ParameterDeclaration(name, .json, optional: true, summary), absent: .some(nil)) { .some($0) }
    }
}
