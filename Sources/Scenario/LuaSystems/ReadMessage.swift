import JSON
import Machines
import Secrets

/// A message of JSON that has come, of a kind that is declared.
struct ReadMessage {
    /// What is declared of its kind.
    let declaration: DeclaredMessage

    /// All its members, also those that are not declared.
    let members: JSONObject

    /// Makes sure that the declared members are there and of their types.
    ///
    /// - Throws: ``MessageFault`` that says which one is not.
    func check(without vault: SecretVault) throws(MessageFault) {
        let declared = self.declaration.members
        guard !declared.isEmpty else { return }
        _ = try self.checked(declared, without: vault)
    }

    /// The message as a handler gets it. An optional member that is null is one that is not there, as in events.
    var forHandler: JSONObject {
        var members = self.members
        for member in self.declaration.members where member.isOptional || DeclaredForm.isForm(member) {
            guard let value = members[member.name] else { continue }
            if member.isOptional, value.isNull {
                members[member.name] = nil
            } else if DeclaredForm.isForm(member) {
                members[member.name] = DeclaredForm.declaredPart(of: value)
            }
        }
        return members
    }

    /// Returns the event that the message is.
    ///
    /// - Throws: ``MessageFault`` if the message lacks what the event has, or has it as something else.
    func event(_ declaration: EventDeclaration, without vault: SecretVault) throws(MessageFault) -> ChatEvent {
        ChatEvent(
            declaration.kind, try self.checked(declaration.fields, without: vault), raw: .object(self.members))
    }

    /// Returns those of the members that are declared. One that is null is one that is not there, as in events, also
    /// where anything may come: who hands it on would emit nothing.
    private func checked(
        _ declared: [ParameterDeclaration], without vault: SecretVault
    ) throws(MessageFault) -> JSONObject {
        let call = CallName(function: "message", word: self.declaration.kind)
        var found: [JSONObject.Member] = []
        found.reserveCapacity(declared.count)
        for parameter in declared {
            guard let value = self.members[parameter.name] else { continue }
            guard !value.isNull else {
                if parameter.isOptional { continue }
                throw MessageFault("\(call) needs the member \(parameter.name), and null is none")
            }
            let isForm = DeclaredForm.isForm(parameter)
            found.append(
                .init(name: parameter.name, value: isForm ? DeclaredForm.declaredPart(of: value) : value))
        }
        var checker = ArgumentChecker(call: call, member: "member", vault: vault)
        checker.beginsWithFound = true
        do throws(UsageError) {
            return try checker.record(JSONObject(uniqueMembers: found), declared)
        } catch {
            throw MessageFault(error.message)
        }
    }
}
