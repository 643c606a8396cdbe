import JSON
import LuaRuntime
import Secrets

/// What a script is told from outside, and what nobody may see: `env`, `secret`, `keep_secret`.
enum EnvironmentLibrary {
    /// All of them.
    static var functions: [HostFunction] {
        [
            HostFunction("env", parameters: ["name", "default"]) { (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                let fallback = try call.optionalString(2)
                guard script.settings.project.allows(variable: name) else {
                    throw HostError.usage(
                        "env cannot read \(name): a script reads no variable that the project does not name; write "
                            + "env = { \"\(name)\" } in repartee.lua, or read it with secret if nobody may see it")
                }
                if let value = script.settings.variables[name] ?? fallback {
                    call.push(value)
                } else {
                    call.pushNil()
                }
                return .returns
            },
            HostFunction("secret", parameters: ["name"]) { (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                guard let value = script.settings.variables[name], !value.isEmpty else {
                    throw HostError.usage(
                        "the secret \(name) is not set; give it as an environment variable: \(name)=… repartee test …")
                }
                guard SecretMasker.canHide(value) else {
                    throw HostError.usage(
                        "the secret \(name) is too short to be hidden without hiding much else; make it at least "
                            + "\(SecretMasker.leastLength) bytes long, or read it with env if it is none")
                }
                script.settings.vault.add(value)
                call.push(value)
                return .returns
            },
            HostFunction("keep_secret", parameters: ["value"]) { (call) throws(HostError) in
                let script = try call.script()
                let value: String
                switch try call.json(1) {
                case .string(let text): value = text
                case .integer(let number): value = "\(number)"
                case .double(let number): value = "\(number)"
                default:
                    throw HostError.argument(
                        "keep_secret takes a text, such as the token that a login answered, not \(call.text(1))")
                }
                guard SecretMasker.canHide(value) else {
                    throw HostError.usage(
                        "keep_secret cannot hide a text of fewer than \(SecretMasker.leastLength) bytes without hiding much "
                            + "else; keep the text that it is a part of")
                }
                script.settings.vault.add(value, isLearnt: true)
                call.push(call.value(1))
                return .returns
            },
        ]
    }
}
