import JSON
import LuaRuntime
import Machines

/// The functions of a script that matchers and machines refer to by number.
struct KeptFunctions {
    private struct Kept {
        let reference: LuaReference

        /// What it has to return, where an option says so.
        @Boxed var result: FunctionResult?
    }

    private var functions: [Int64: Kept] = [:]

    /// How many there have been: a number stands for one of them only.
    private(set) var total: Int64 = 0

    /// How many are kept.
    var count: Int { self.functions.count }

    /// The function that a number refers to; nil once nothing holds it any more.
    subscript(number: Int64) -> LuaReference? { self.functions[number]?.reference }

    /// Keeps a function and returns its number.
    mutating func keep(_ function: LuaReference) -> Int64 {
        self.total += 1
        self.functions[self.total] = Kept(reference: function)
        return self.total
    }

    /// Lets go of a function that nothing refers to any more.
    mutating func forget(_ number: Int64) { self.functions[number] = nil }

    /// Lets go of all of them.
    mutating func removeAll() { self.functions = [:] }

    /// What a function has to return; nil if anything will do.
    func result(of number: Int64) -> FunctionResult? { self.functions[number]?.result }

    /// Notes what the functions among checked options have to return, also of those in tables within.
    mutating func noteResults(in options: JSONObject, _ parameters: [ParameterDeclaration]) {
        for parameter in parameters {
            guard let value = options[parameter.name] else { continue }
            if let result = FunctionResult(parameter) {
                if let number = value.integer { self.functions[number]?.result = result }
            } else {
                self.noteResults(in: value, parameter.type)
            }
        }
    }

    private mutating func noteResults(in value: JSONValue, _ type: ScriptType) {
        switch type {
        case .record(let members): self.noteResults(in: value.object ?? [:], members)
        case .map(let element): for (_, member) in value.object ?? [:] { self.noteResults(in: member, element) }
        case .list(let element): for member in value.array ?? [] { self.noteResults(in: member, element) }
        default: break
        }
    }
}
