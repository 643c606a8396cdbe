import JSON
import LuaRuntime
import Secrets

/// Signed tokens: `jwt`.
enum TokenLibrary {
    /// How many instructions a signature with a pair of keys is worth.
    private static let signaturePrice = 100_000

    /// The functions of `jwt`.
    static var tokenFunctions: [HostFunction] {
        [
            HostFunction("jwt.make", parameters: ["claims", "key", "options"]) { (call) throws(HostError) in
                let script = try call.script()
                guard call.kind(1) == .table, let claims = try call.json(1).object else {
                    throw call.argumentFault(1, expected: "a table of named claims")
                }
                let key = try call.bytes(2)
                let options = try call.options(3, ToolboxReference.tokenOptions)
                let algorithm = options["algorithm"]?.string.flatMap(WebToken.Algorithm.init) ?? .hs256
                try call.charge(Self.signaturePrice)
                let token = try Self.token(call.name) { () throws(WebToken.Problem) in
                    try WebToken(
                        claims: claims, key: key, algorithm: algorithm, header: options["header"]?.object ?? [:])
                }
                try call.chargeBytes(token.text.utf8.count, script)
                // Of what the claims say the text itself tells; what the key made is the signature.
                script.settings.vault.add(token.signature, computedFrom: [key])
                call.push(token.text)
                return .returns
            },
            HostFunction("jwt.read", parameters: ["token", "key"]) { (call) throws(HostError) in
                let text = try call.string(1)
                try call.charge(text.utf8.count + Self.signaturePrice)
                // A key that nobody has set would let every token pass.
                guard call.count < 2 || !call.isNil(2) else {
                    throw HostError.argument(
                        "jwt.read: the key is nil, and nothing would be checked; leave it out to read a token unchecked"
                    )
                }
                let key = call.isNil(2) ? nil : try call.bytes(2)
                let token = try Self.token(call.name) { () throws(WebToken.Problem) in
                    let token = try WebToken(reading: text)
                    if let key { try token.check(key: key) }
                    return token
                }
                call.push(JSONValue.object(token.claims))
                call.push(JSONValue.object(token.header))
                return .returns
            },
        ]
    }

    private static func token(
        _ name: String, _ body: () throws(WebToken.Problem) -> WebToken
    ) throws(HostError) -> WebToken {
        do throws(WebToken.Problem) { return try body() } catch {
            throw HostError("\(name) cannot \(name == "jwt.make" ? "sign" : "take") the token: \(error)", kind: "jwt")
        }
    }
}
