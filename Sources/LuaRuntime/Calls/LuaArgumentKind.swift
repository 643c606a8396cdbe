/// What kind of value an argument of a ``LuaCall`` is.
public enum LuaArgumentKind: String, Hashable, Sendable {
    case absent = "nothing"
    case `nil`
    case boolean = "a boolean"
    case integer = "an integer"
    case number = "a number"
    case string = "a string"
    case table = "a table"
    case function = "a function"
    case thread = "a coroutine"
    case null = "json.null"
    case handle = "an object"
}
