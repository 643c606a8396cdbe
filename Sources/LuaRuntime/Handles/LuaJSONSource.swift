public import JSON

/// An object of the engine that stands in JSON as what it is about.
public protocol LuaJSONSource: AnyObject {
    /// What stands in JSON for it.
    var json: JSONValue { get }
}
