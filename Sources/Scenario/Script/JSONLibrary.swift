import JSON
import LuaRuntime
import Machines
import Secrets

/// JSON as text: `json`.
enum JSONLibrary {
    /// What asks `json.decode` to refuse an object with two members of one name.
    static let unambiguous = "unambiguous"

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
            HostFunction("json.decode", parameters: ["text", "how"]) { (call) throws(HostError) in
                // The body of an answer that is no text is the only nil that comes from the other side.
                guard !call.isNil(1) else {
                    throw call.argumentFault(
                        1,
                        "must be a string, not nil; of an answer that is no UTF-8 there is no body, only answer.bytes")
                }
                guard call.kind(1) == .string else { throw call.argumentFault(1, expected: "a string") }
                let isStrict = !call.isNil(2)
                if isStrict {
                    let how = call.kind(2) == .string ? try call.string(2) : nil
                    guard how == Self.unambiguous else {
                        throw call.argumentFault(2, expected: "\"\(Self.unambiguous)\" or left out")
                    }
                }
                try call.charge(call.byteCount(1))
                do throws(JSONSyntaxError) {
                    try call.pushJSON(ofArgument: 1, refusingRepetition: isStrict)
                } catch {
                    let isText = String(validating: try call.bytes(1), as: UTF8.self) != nil
                    let problem = isText ? "\(error)" : "bytes that are no UTF-8"
                    // Whatever is cut has been masked before.
                    let masked = try call.script().secrets.masked(call.text(1))
                    let shown = JSONValue.string(masked).description.shortened(to: 100)
                    throw HostError("json.decode cannot read the text: \(problem), of \(shown)", kind: "json")
                }
                return .returns
            },
        ]
    }
}
