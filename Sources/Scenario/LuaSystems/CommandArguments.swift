import JSON
import LuaRuntime
import Machines

/// What a scenario passes to a command of a system in Lua that declares its parameters.
///
/// Functions and actors reach the command as they are; what is checked is that they are meant to be there.
enum CommandArguments {
    /// Holds arguments against the parameters.
    ///
    /// - Parameters:
    ///   - shown: The arguments as records show them.
    ///   - first: The number of the first of them in the call.
    ///   - parameters: What is declared of the command.
    ///   - name: How the call reads.
    /// - Returns: The arguments by name; functions and actors as records show them.
    /// - Throws: ``UsageError`` that names the parameter, what it takes and what it got.
    static func checked(
        _ shown: [JSONValue], from first: Int, of call: borrowing LuaCall, _ parameters: [ParameterDeclaration],
        _ name: CallName
    ) throws(UsageError) -> JSONObject {
        var values = shown
        var asShown = JSONObject()
        for (index, parameter) in zip(shown.indices, parameters) where !shown[index].isNull {
            guard
                let value = try Self.standIn(
                    for: first + index, of: call, shown: shown[index], as: parameter, name)
            else { continue }
            values[index] = value
            asShown[parameter.name] = shown[index]
        }
        var arguments = try ArgumentChecker(call: name).arguments(values, parameters)
        for (parameter, value) in asShown { arguments[parameter] = value }
        return arguments
    }

    /// Returns what the check takes in the place of an argument that is a function or an actor, or has functions in it;
    /// nil for one that is checked as it is shown.
    private static func standIn(
        for number: Int, of call: borrowing LuaCall, shown: JSONValue, as parameter: ParameterDeclaration,
        _ name: CallName
    ) throws(UsageError) -> JSONValue? {
        let kind = call.kind(number)
        // What is shown as a table has nothing else in it.
        guard kind != .table || shown.string != nil || parameter.type == .actor else { return nil }
        switch (parameter.type, kind) {
        case (.actor, _):
            guard kind == .handle, case .handle(let object, _) = call.value(number), object is Actor else {
                throw UsageError(
                    "\(name): \(parameter.name) is an actor, not \(shown.description.shortened(to: 60))")
            }
            return [:]
        case (.function, .function): return PassedFunction(number: 1).json
        case (.map(.function), .table): return Self.table(number, of: call)
        case (.map, .table), (.list, .table), (.either, .table):
            guard Self.table(number, of: call).map(PassedFunction.stands) ?? false else { return nil }
            throw UsageError(
                "\(name): \(parameter.name) takes values alone, and a function or an object stands in it; \"functions\" "
                    + "is a table of functions by name, and \"any\" takes whatever is passed")
        default: return nil
        }
    }

    /// Returns a table in which something stands for what is no value; nil if it cannot be read, as one that contains
    /// itself.
    private static func table(_ number: Int, of call: borrowing LuaCall) -> JSONValue? {
        try? call.json(number) { (_) throws(HostError) in PassedFunction(number: 1).json }
    }
}
