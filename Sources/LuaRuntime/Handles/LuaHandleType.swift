/// A type of objects of the engine that scripts hold, as one state knows it.
public struct LuaHandleType: Hashable, Sendable {
    /// The number by which handles name their type.
    let number: UInt32

    /// The name for messages and for the text form.
    public let name: String

    /// The type of the errors that a script has caught.
    public static var error: Self { RaisedError.type }
}
