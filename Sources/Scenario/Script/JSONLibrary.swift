import JSON
import LuaRuntime

/// JSON as text: `json`.
enum JSONLibrary {
    /// The functions of `json`.
    static var functions: [HostFunction] {
        [
            HostFunction("json.encode", parameters: ["value"]) { (call) throws(LuaFault) in
                let text = try call.json(1).description
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            HostFunction("json.decode", parameters: ["text"]) { (call) throws(LuaFault) in
                let text = try call.string(1)
                try call.charge(text.utf8.count)
                do { call.push(try JSONReader.read(text)) } catch let error as JSONSyntaxError {
                    throw LuaFault("json.decode cannot read the text: \(error)", kind: "json")
                } catch {
                    throw LuaFault("\(error)")
                }
                return .returns
            },
        ]
    }
}
