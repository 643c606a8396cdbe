/// What kind of value an argument of a ``LuaCall`` is.
public enum LuaArgumentKind: String, Hashable, Sendable {
    /// Fewer arguments were given.
    case absent = "nothing"
    /// It was given, as nil.
    case `nil`
    /// True or false.
    case boolean = "a boolean"
    /// A number of the subtype integer (Lua 5.4 manual, section 2.1).
    case integer = "an integer"
    /// A number of the subtype float.
    case number = "a number"
    /// Any bytes; whether they are UTF-8 is not looked at.
    case string = "a string"
    /// A table of the script, whatever it stands for.
    case table = "a table"
    /// A function of the script or of the host.
    case function = "a function"
    /// What `coroutine.create` makes.
    case thread = "a coroutine"
    /// What stands for the null of JSON, where nil would be no member.
    case null = "json.null"
    /// An object of the engine, such as an actor.
    case handle = "an object"
}
