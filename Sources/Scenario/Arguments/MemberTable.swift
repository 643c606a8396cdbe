import JSON
import LuaRuntime
import Machines

/// A table of named fields that a system in Lua hands over, held against what is declared of them.
struct MemberTable {
    /// What is called with it, as scripts write it: `me:open`.
    let call: CallName

    /// What the fields may be.
    let declared: [ParameterDeclaration]

    /// What a field is called in messages.
    var member = "option"

    /// Whether the fields may hold what a peer sent.
    var isSentByPeer = false

    init(call: CallName, declared: [ParameterDeclaration], member: String = "option", isSentByPeer: Bool = false) {
        self.call = call
        self.declared = declared
        self.member = member
        self.isSentByPeer = isSentByPeer
    }

    init(call: String, declared: [ParameterDeclaration], member: String = "option") {
        self.init(call: CallName(function: call), declared: declared, member: member)
    }

    /// Returns the fields of an argument; nothing stands for an empty table.
    ///
    /// - Throws: A mistake if it is no table, or a field is unknown or of another kind than is declared.
    func read(_ number: Int, of call: borrowing LuaCall) throws(HostError) -> JSONObject {
        guard call.isNil(number) || call.kind(number) == .table else {
            let example =
                self.declared.contains { $0.name == "path" }
                ? "path = \"/chat\"" : "\(self.declared.first?.name ?? "name") = …"
            throw HostError.argument("\(self.call) takes a table, such as { \(example) }")
        }
        // What is null in a frame is a member that is not there.
        let given = call.isNil(number) ? [:] : try self.json(number, of: call)
        guard let table = given.object?.withoutNulls else {
            throw call.argumentFault(number, expected: "a table of named fields")
        }
        var checker = ArgumentChecker(call: self.call, member: self.member, vault: try call.script().settings.vault)
        checker.beginsWithFound = self.isSentByPeer
        return try asFault { () throws(UsageError) in try checker.record(table, self.declared) }
    }

    /// Returns an argument as JSON, whatever it is, and looks at no value.
    ///
    /// Functions and objects of the engine are right for no field. One of another name that has such a value is
    /// misspelt, and the value may be right for what was meant: the name is told before the value.
    ///
    /// - Throws: What JSON cannot hold, or a mistake if a field with that is unknown.
    func given(_ number: Int, of call: borrowing LuaCall) throws(HostError) -> JSONValue {
        do throws(HostError) { return try call.json(number, sentByPeer: self.isSentByPeer) } catch {
            let given = try? call.json(
                number, embedding: { (_) throws(HostError) in .null }, sentByPeer: self.isSentByPeer,
                inherited: .methods)
            let unknown = given?.object?.first { name, _ in !self.declared.contains { $0.name == name } }?.0
            guard let unknown else { throw error }
            throw HostError.usage(
                UnknownMember.text(unknown, of: "\(self.call)", as: self.member, among: self.declared.map(\.name)))
        }
    }

    private func json(_ number: Int, of call: borrowing LuaCall) throws(HostError) -> JSONValue {
        do throws(HostError) { return try self.given(number, of: call) } catch {
            // Bytes have a place of their own, where there is one for them.
            guard error.message.contains("is not valid UTF-8"), self.declared.contains(where: { $0.name == "base64" })
            else { throw error }
            var error = error
            error.message +=
                error.message.contains("(at json")
                ? "; within JSON bytes are a text: base64.encode(…), hex.encode(…), hash.sha256(…, \"hex\")"
                : "; bytes are given as base64 = base64.encode(…)"
            throw error
        }
    }
}
