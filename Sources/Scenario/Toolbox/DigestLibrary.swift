import Digests
import LuaRuntime

/// Digests, codes with keys, and keys out of passwords: `hash`, `hmac`, `pbkdf2`.
enum DigestLibrary {
    /// The functions of `hash`: one for each digest.
    static var hashFunctions: [HostFunction] {
        Digest.allCases.map { digest in
            HostFunction("hash.\(digest.rawValue)", parameters: ["bytes", "form"]) { (call) throws(HostError) in
                let script = try call.script()
                let bytes = try call.bytes(1)
                let form = try call.word(2, ByteForm.self) ?? .bytes
                try call.chargeBytes(bytes.count, script)
                call.push(digest(bytes), as: form, computedFrom: [bytes], script)
                return .returns
            }
        }
    }

    /// The functions of `hmac`: one for each digest.
    static var hmacFunctions: [HostFunction] {
        Digest.allCases.map { digest in
            HostFunction("hmac.\(digest.rawValue)", parameters: ["key", "bytes", "form"]) { (call) throws(HostError) in
                let script = try call.script()
                let (key, bytes) = (try call.bytes(1), try call.bytes(2))
                let form = try call.word(3, ByteForm.self) ?? .bytes
                try call.chargeBytes(key.count + bytes.count, script)
                let code = HMAC(key, digest: digest).code(for: bytes)
                call.push(code, as: form, computedFrom: [key, bytes], script)
                return .returns
            }
        }
    }

    /// How often the code may be computed for one key; that takes about half a second.
    private static let mostIterations: Int64 = 1_000_000

    /// How many instructions one computation of the code is worth.
    private static let iterationPrice = 32

    /// The functions of `pbkdf2`: one for each digest.
    static var passwordKeyFunctions: [HostFunction] {
        Digest.allCases.map { digest in
            let parameters = ["password", "salt", "iterations", "length", "form"]
            return HostFunction("pbkdf2.\(digest.rawValue)", parameters: parameters) { (call) throws(HostError) in
                let script = try call.script()
                let (password, salt) = (try call.bytes(1), try call.bytes(2))
                let iterations = try call.integer(3, in: 1...Self.mostIterations)
                let length = try call.optionalInteger(4, in: 1...1024) ?? Int64(digest.count)
                let form = try call.word(5, ByteForm.self) ?? .bytes
                let parts = (Int(length) + digest.count - 1) / digest.count
                let work = Int(iterations) * parts
                guard work <= Int(Self.mostIterations) else {
                    throw call.argumentFault(
                        3,
                        "is too high for \(length) bytes: the key has \(parts) parts, and all together may take "
                            + "\(Self.mostIterations) iterations")
                }
                try call.charge(work * Self.iterationPrice)
                try call.chargeBytes(password.count + salt.count, script)
                let key = digest.key(password: password, salt: salt, iterations: Int(iterations), count: Int(length))
                call.push(key, as: form, computedFrom: [password, salt], script)
                return .returns
            }
        }
    }
}
