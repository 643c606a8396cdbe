import JSON
import LuaRuntime
import Secrets

/// JSON as text: `json`.
enum JSONLibrary {
    /// The functions of `json`.
    static var functions: [HostFunction] {
        [
            HostFunction("json.encode", parameters: ["value"]) { (call) throws(HostError) in
                let text = try call.jsonText(1)
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            HostFunction("json.array", parameters: ["list"]) { (call) throws(HostError) in
                let value = call.isNil(1) ? .array([]) : try call.json(1)
                // A table without elements could be either.
                guard let elements = value.array ?? (value.object?.isEmpty == true ? [] : nil) else {
                    throw call.argumentFault(1, expected: "a list")
                }
                try call.charge(16 * elements.count)
                call.push(.array(elements))
                return .returns
            },
            HostFunction("json.decode", parameters: ["text"]) { (call) throws(HostError) in
                guard call.kind(1) == .string else { throw call.argumentFault(1, expected: "a string") }
                try call.charge(call.byteCount(1))
                do throws(JSONSyntaxError) { try call.pushJSON(ofArgument: 1) } catch {
                    // What is no text is a mistake of another kind.
                    let text = try call.string(1)
                    // Whatever is cut has been masked before.
                    let masked = try call.script().secrets.masked(text)
                    let shown = JSONValue.string(masked).description.shortened(to: 100)
                    throw HostError("json.decode cannot read the text: \(error), of \(shown)", kind: "json")
                }
                return .returns
            },
        ]
    }
}
