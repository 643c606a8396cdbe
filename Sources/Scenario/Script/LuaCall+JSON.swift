import JSON
import LuaRuntime

extension LuaCall {
    /// Returns an argument as JSON for a declared parameter: functions become what ``PassedFunction`` reads, actors
    /// what others know them by.
    func json(_ number: Int, keeping script: Script) throws(HostError) -> JSONValue {
        // Most are texts, in which nothing stands.
        guard self.kind(number) != .string else { return try self.json(number) }
        let name = self.name
        return try self.json(number) { (value) throws(HostError) in
            switch value {
            case .reference(let reference) where reference.kind == .function:
                return PassedFunction(number: script.functions.keep(reference)).json
            case .handle(let actor as Actor, _): return .object(actor.backend?.identity ?? [:])
            case .handle(let handle as ServerHandle, _): return ["url": .string(handle.server.origin)]
            default: throw HostError.argument("\(name): only values, functions and actors can be passed here")
            }
        }
    }

    /// Returns an argument that is compared as JSON: actors are what others know them by, and objects of a class have
    /// their own members and not its methods.
    ///
    /// - Throws: A mistake if a function stands in it, for that is a call without its parentheses: as a value it would
    ///   compare with whatever stands for it.
    func compared(_ number: Int, of script: Script) throws(HostError) -> JSONValue {
        let name = self.name
        let compared: JSONEmbedding = { (value) throws(HostError) in
            if case .handle(let object, _) = value, let actor = object as? Actor {
                return .object(actor.backend?.identity ?? [:])
            }
            throw script.cannotCompare(value, name)
        }
        return try self.json(number, embedding: compared, inherited: .methods)
    }

    /// Returns what an argument is compared with as JSON; neither functions nor objects of the engine can stand there.
    func wanted(_ number: Int, of script: Script) throws(HostError) -> JSONValue {
        // Most are a name, or nothing. What a peer sent stands in events so: its bytes that are not UTF-8 as `�xFF`.
        switch self.kind(number) {
        case .absent, .nil: return .null
        case .string: return try self.json(number, sentByPeer: true)
        default: break
        }
        let name = self.name
        return try self.json(
            number, embedding: { (value) throws(HostError) in throw script.cannotCompare(value, name) },
            sentByPeer: true)
    }
}

extension Script {
    /// The mistake of a script that compares what is no value.
    fileprivate func cannotCompare(_ value: LuaValue, _ name: String) -> HostError {
        guard case .reference(let reference) = value, reference.kind == .function else {
            return HostError.usage(
                "\(name) compares values, not objects of the engine; compare a property of it, such as its name")
        }
        return self.uncalled(reference, name)
    }

    /// The mistake of a script that gives a function where it meant what the function returns.
    func uncalled(_ function: LuaReference, _ name: String) -> HostError {
        let remedy: String
        if let known = function.functionName {
            let method = known.firstIndex(of: ":").map { known[$0...] }
            remedy = method.map { "did you mean to call it, as in object\($0)()?" } ?? "did you mean \(known)()?"
        } else {
            let place = function.definition.map { " of line \($0.line)" } ?? ""
            remedy = "it got the function\(place); did you forget the parentheses that call it?"
        }
        return HostError.usage("\(name) compares values, not functions: \(remedy)")
    }
}
