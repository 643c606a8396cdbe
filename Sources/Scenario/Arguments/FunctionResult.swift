import JSON
import Machines

/// What a function that a script gave to an actor or a server has to return.
struct FunctionResult {
    /// The option that the function was given as.
    let name: String
    private let type: ScriptType

    /// Creates what a parameter declares; nil if it declares nothing.
    init?(_ parameter: ParameterDeclaration) {
        guard let type = parameter.result else { return nil }
        self.name = parameter.name
        self.type = type
    }

    /// Checks what came back; nothing may always come back.
    ///
    /// - Throws: ``UsageError`` that says what it is to be, with a suggestion for a misspelt member.
    func check(_ value: JSONValue) throws(UsageError) {
        guard !value.isNull else { return }
        if case .record(let members) = self.type, let table = value.object {
            _ = try ArgumentChecker(call: "what \(self.name) returns", member: "member").record(table, members)
        } else {
            let result = ParameterDeclaration("what it returns", self.type, "")
            _ = try ArgumentChecker(call: self.name).arguments([value], [result])
        }
    }
}
