import JSON
import LuaRuntime

/// What stands in a matcher for the function that it asks: the script keeps the function as long as the matcher is
/// there, for loops make any number of them.
final class MatcherTest: LuaJSONSource {
    private static let typeName = "test"

    private weak var script: Script?

    /// The number by which matchers refer to the function.
    private let number: Int64

    private init(_ function: LuaReference, of script: Script) {
        self.script = script
        self.number = script.functions.keep(function)
    }

    deinit { self.script?.functions.forget(self.number) }

    var json: JSONValue { .integer(self.number) }

    /// Returns what stands for a function in a matcher of a script.
    static func value(of function: LuaReference, in script: Script) -> LuaValue {
        let type = script.engine.handleType(Self.typeName) {
            LuaHandleDeclaration(name: Self.typeName, methods: [])
        }
        return .handle(Self(function, of: script), type)
    }
}
