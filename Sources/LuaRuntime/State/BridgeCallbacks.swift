internal import JSON

/// The functions of a state that the bridge itself calls; they belong to the state and do not hold it.
enum BridgeCallbacks {
    /// Finds what a script requires: returns the module, or its text and the name it is loaded under.
    static func require(in state: LuaState) -> HostFunction {
        HostFunction("require", parameters: ["name"]) { [unowned state] (call) throws(HostError) in
            let name = try call.string(1)
            guard let searcher = state.moduleSearcher else {
                throw HostError("module '\(name)' is not found: there is no place to look for it", kind: "module")
            }
            switch try searcher(name, call.position) {
            case .value(let value): call.push(value)
            case .source(let text, let chunkName):
                state.files.note(chunkName)
                call.push(text)
                call.push(chunkName)
            }
            return .returns
        }
    }

    /// Raises the fault of a script that reads a name which nobody has assigned.
    static func undefined(in state: LuaState) -> HostFunction {
        HostFunction("undefined", parameters: ["names", "name", "library", "table", "closed"]) {
            [unowned state] (call) throws(HostError) in
            guard let judge = state.undefinedName, let fault = judge(try UndefinedName(call)) else { return .returns }
            throw fault
        }
    }

    /// Gives a table the members that its document stands for, and answers with one of them.
    static var document: HostFunction {
        HostFunction("document", parameters: ["table", "name"]) { (call) throws(HostError) in
            call.stack.completeDocument(at: 1)
            call.pushMember(named: 2, ofTable: 1)
            return .returns
        }
    }
}
