import JSON
import LuaRuntime

/// JSON as text: `json`.
enum JSONLibrary {
    /// The functions of `json`.
    static var functions: [HostFunction] {
        [
            HostFunction("json.encode", parameters: ["value"]) { (call) throws(HostError) in
                let text = try call.json(1).description
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            HostFunction("json.decode", parameters: ["text"]) { (call) throws(HostError) in
                let text = try call.string(1)
                try call.charge(text.utf8.count)
                do { call.push(try JSONReader.read(text)) } catch let error as JSONSyntaxError {
                    throw HostError("json.decode cannot read the text: \(error)", kind: "json")
                } catch {
                    throw HostError("\(error)")
                }
                return .returns
            },
        ]
    }
}
