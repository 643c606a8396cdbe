import Digests
import JSON
import LuaRuntime
import Machines
import Secrets

/// In which form a function of the toolbox returns bytes.
enum ByteForm: String, CaseIterable {
    case bytes, hex, base64
}

extension LuaCall {
    /// Returns a word that an argument must be one of; nothing stands for the first of them.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ number: Int, _: Word.Type) throws(HostError) -> Word? {
        guard !self.isNil(number) else { return nil }
        let text = try self.string(number)
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let suggestion = TextDistance.hint(text, among: words, otherwise: "")
        throw self.argumentFault(
            number, "must be one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))\(suggestion)")
    }

    /// Returns an argument that is a table of options, checked.
    func options(_ number: Int, _ declared: [ParameterDeclaration]) throws(HostError) -> JSONObject {
        let (name, members) = (self.name, try self.object(number))
        return try asFault { () throws(UsageError) in
            try ArgumentChecker(call: name).record(members, declared)
        }
    }

    /// Takes instructions off the budget for work on some bytes.
    ///
    /// Where there are secrets, the bytes are looked through for them besides, which takes far longer than the work.
    func chargeBytes(_ count: Int, _ script: Script) throws(HostError) {
        try self.charge(script.settings.vault.isEmpty ? count / 16 : count * 4)
    }

    /// Adds bytes to the results that were computed from others, which hides them if a secret went into them.
    mutating func push(_ result: [UInt8], as form: ByteForm = .bytes, computedFrom inputs: [[UInt8]], _ script: Script)
    {
        script.settings.vault.add(result, computedFrom: inputs)
        switch form {
        case .bytes: self.push(result)
        case .hex: self.push(Hexadecimal.encode(result))
        case .base64: self.push(Base64.encode(result))
        }
    }
}
