import JSON
import LuaRuntime
import Machines

/// Letters between users, or between the threads of one scenario: `mailbox`.
enum MailboxLibrary {
    /// The functions of `mailbox`.
    static var functions: [HostFunction] {
        [
            HostFunction("mailbox.send", parameters: ["name", "value"]) { (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                let execution = try script.playing("mailbox.send")
                try execution.cast.spellings.check(name, in: "mailbox.send")
                if let refusal = execution.slot?.refusal(of: "mailbox.send", name) {
                    throw HostError.usage(refusal)
                }
                let complaint = execution.threads.coordination.post(try call.json(2), to: name)
                if let complaint { throw HostError(complaint, kind: "limit") }
                return .returns
            },
            HostFunction("mailbox.receive", parameters: ["name"], suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                let execution = try script.playing("mailbox.receive")
                let name = try call.string(1)
                try execution.cast.spellings.check(name, in: "mailbox.receive")
                if let refusal = execution.slot?.refusal(of: "mailbox.receive", name) {
                    throw HostError.usage(refusal)
                }
                return try script.suspend(&call, "a letter in \"\(name)\"", for: .coordination) { resume in
                    execution.threads.coordination.take(from: name) { resume(.success($0.isNull ? .nil : .json($0))) }
                }
            },
        ]
    }
}
