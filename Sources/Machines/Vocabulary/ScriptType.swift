/// The type of a parameter or a result as scripts see it.
public indirect enum ScriptType: Hashable, Sendable {
    /// A text in UTF-8.
    case string
    /// Any number, with or without a fraction.
    case number
    /// A number without a fraction, which fits 64 bits.
    case integer
    /// `true` or `false`; nothing else that Lua would take for one of them.
    case boolean
    /// `"250ms"`, `"2s"`, `"5m"`, `"1h"`, or a number of seconds; reaches a machine as a number of seconds.
    case duration
    /// Any value that JSON can hold.
    case json
    /// A table with these members and no others.
    case record([ParameterDeclaration])
    /// A table with string keys.
    case map(ScriptType)
    /// A table with elements from 1 on, without gaps.
    case list(ScriptType)
    /// One of these words.
    case choice([String])
    /// One of these, told apart by the kind of the value, such as a text or a table; none of them takes functions.
    case either([ScriptType])
    /// An actor of the scenario; reaches a machine as the actor's identity.
    case actor
    /// A file, by its path beside the script or from the project's root, below which it must lie; reaches a machine as
    /// an object with `name`, the last part of the path, and `base64`.
    case file
    /// A function of the script; reaches a machine as the number of a ``ScriptFunction``.
    case function
    /// Nothing (for results).
    case nothing

    /// Whether it is a file, or a table in which one stands.
    var holdsFile: Bool {
        switch self {
        case .file: true
        case .record(let members): members.contains { $0.type.holdsFile }
        default: false
        }
    }
}
