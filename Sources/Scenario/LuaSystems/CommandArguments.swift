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
    ///
    /// What is no value is shown by a text, which would pass for a string.
    private static func standIn(
        for number: Int, of call: borrowing LuaCall, shown: JSONValue, as parameter: ParameterDeclaration,
        _ name: CallName
    ) throws(UsageError) -> JSONValue? {
        let kind = call.kind(number)
        // What is shown as a table has nothing else in it.
        let isValue = ![.function, .handle, .thread].contains(kind) && (kind != .table || shown.string == nil)
        switch parameter.type {
        case .json: return nil
        case .actor:
            guard kind == .handle, case .handle(let object, _) = call.value(number), object is Actor else { break }
            return [:]
        case .function where kind == .function: return PassedFunction(number: 1).json
        case .map(.function) where !isValue:
            if let table = Self.table(number, of: call) { return table }
        case .map, .list, .either:
            guard !isValue, Self.table(number, of: call).map(PassedFunction.stands) ?? false else { break }
            throw UsageError(
                "\(name): \(parameter.name) takes values alone, and a function or an object stands in it; \"functions\" "
                    + "is a table of functions by name, and \"any\" takes whatever is passed")
        default: break
        }
        guard !isValue || parameter.type == .actor else { return nil }
        let found =
            switch kind {
            case .handle: "the object \(shown)"
            case .table where !isValue: "a table that is no plain data"
            case .function, .thread: kind.rawValue
            default: shown.description.shortened(to: 60)
            }
        throw UsageError("\(name): \(parameter.name) is \(parameter.type.kind), not \(found)")
    }

    /// Returns a table in which something stands for what is no value; nil if it cannot be read, as one that contains
    /// itself.
    private static func table(_ number: Int, of call: borrowing LuaCall) -> JSONValue? {
        guard call.kind(number) == .table else { return nil }
        return try? call.json(number) { (_) throws(HostError) in PassedFunction(number: 1).json }
    }
}
