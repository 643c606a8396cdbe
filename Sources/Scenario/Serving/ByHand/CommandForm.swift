import JSON
import Machines

/// What a page needs to know of declarations to offer a form for each command.
enum CommandForm {
    /// The options and the commands of somebody, without those that need a function of a script.
    static func members(_ options: [ParameterDeclaration], _ methods: [MethodDeclaration]) -> JSONObject {
        let filled = methods.filter { !$0.parameters.contains { $0.type == .function && !$0.isOptional } }
        return ["options": self.fields(options), "commands": .array(filled.map { .object(self.command($0)) })]
    }

    private static func command(_ method: MethodDeclaration) -> JSONObject {
        var members: JSONObject = [
            "name": .string(method.name), "summary": .string(method.summary), "fields": self.fields(method.parameters),
        ]
        members["sends"] = method.sends.map { .string($0) }
        return members
    }

    private static func fields(_ parameters: [ParameterDeclaration]) -> JSONValue {
        .array(
            parameters.filter { $0.type != .function }.map { parameter in
                var members: JSONObject = [
                    "name": .string(parameter.name), "type": .string(self.kind(parameter.type)),
                    "optional": .bool(parameter.isOptional), "secret": .bool(parameter.isSecret),
                    "summary": .string(parameter.summary),
                ]
                if case .choice(let words) = parameter.type { members["words"] = .array(words.map { .string($0) }) }
                if case .record(let inner) = parameter.type { members["fields"] = self.fields(inner) }
                return .object(members)
            })
    }

    /// How a page asks for a value: as text, as one of a few, by fields of its own, or as JSON.
    private static func kind(_ type: ScriptType) -> String {
        switch type {
        case .string, .file, .duration: "text"
        case .number, .integer: "number"
        case .boolean: "boolean"
        case .choice: "choice"
        case .actor: "actor"
        case .either, .json: "any"
        case .record: "record"
        case .map, .list: "json"
        case .function, .nothing: "nothing"
        }
    }
}
