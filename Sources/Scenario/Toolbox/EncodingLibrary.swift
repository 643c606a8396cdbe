import JSON
import LuaRuntime
import Machines

/// Bytes as text: `base64`, `hex`, `url`.
enum EncodingLibrary {
    /// The functions of `base64`.
    static var base64Functions: [HostFunction] {
        [
            HostFunction("base64.encode", parameters: ["bytes", "options"]) { (call) throws(HostError) in
                let bytes = try call.bytes(1)
                try call.charge(bytes.count / 16)
                let options = try call.options(2, ToolboxReference.base64Options)
                let forURLs = options["url"]?.bool ?? false
                switch (forURLs, options["padding"]?.bool ?? !forURLs) {
                case (false, true): call.push(Base64.encode(bytes))
                case (true, false): call.push(Base64URL.encode(bytes))
                case (let forURLs, true):
                    let text = forURLs ? Base64URL.encode(bytes) : Base64.encode(bytes)
                    call.push(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
                case (false, false):
                    let digits = Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }
                    call.push(Array(digits))
                }
                return .returns
            },
            HostFunction("base64.decode", parameters: ["text"]) { (call) throws(HostError) in
                let script = try call.script()
                let text = try call.bytes(1)
                try call.chargeBytes(text.count, script)
                guard let bytes = Self.readBase64(text) else {
                    throw HostError(
                        "base64.decode cannot read the text: it is no base64, neither of the standard alphabet nor of "
                            + "that for URLs, with or without padding",
                        kind: "base64")
                }
                call.push(bytes, computedFrom: [text], script)
                return .returns
            },
        ]
    }

    /// Reads base64 of either alphabet, padded or not.
    private static func readBase64(_ text: [UInt8]) -> [UInt8]? {
        let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || text.count.isMultiple(of: 4) else { return nil }
        let digits = text.dropLast(padding).map { digit in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: digit
            }
        }
        return Base64URL.decode(String(decoding: digits, as: UTF8.self))
    }

    /// The functions of `hex`.
    static var hexFunctions: [HostFunction] {
        [
            HostFunction("hex.encode", parameters: ["bytes"]) { (call) throws(HostError) in
                let bytes = try call.bytes(1)
                try call.charge(bytes.count / 16)
                call.push(Hexadecimal.encode(bytes))
                return .returns
            },
            HostFunction("hex.decode", parameters: ["text"]) { (call) throws(HostError) in
                let script = try call.script()
                let text = try call.bytes(1)
                try call.chargeBytes(text.count, script)
                guard let bytes = Hexadecimal.decode(String(decoding: text, as: UTF8.self)) else {
                    throw HostError(
                        "hex.decode cannot read the text: it takes two hexadecimal digits for each byte and nothing else",
                        kind: "hex")
                }
                call.push(bytes, computedFrom: [text], script)
                return .returns
            },
        ]
    }

    /// The functions of `url`.
    static var urlFunctions: [HostFunction] {
        [
            HostFunction("url.encode", parameters: ["text"]) { (call) throws(HostError) in
                let text = try call.string(1)
                try call.charge(text.utf8.count / 16)
                call.push(FormEncoding.percentEncode(text))
                return .returns
            },
            HostFunction("url.decode", parameters: ["text"]) { (call) throws(HostError) in
                let script = try call.script()
                let text = try call.string(1)
                try call.chargeBytes(text.utf8.count, script)
                let decoded = FormEncoding.percentDecode(text)
                call.push(Array(decoded.utf8), computedFrom: [Array(text.utf8)], script)
                return .returns
            },
            HostFunction("url.encode_query", parameters: ["parameters"]) { (call) throws(HostError) in
                let fields = try call.object(1)
                let text: String
                do throws(FormFields.Unwritable) { text = FormEncoding.encode(try FormFields.pairs(fields)) } catch {
                    throw call.argumentFault(
                        1, "takes texts, numbers, true, false and lists of them, and \(error.name) is none of these")
                }
                try call.charge(text.utf8.count / 16)
                call.push(text)
                return .returns
            },
            HostFunction("url.decode_query", parameters: ["text"]) { (call) throws(HostError) in
                let text = try call.string(1)
                try call.charge(text.utf8.count)
                call.push(JSONValue.object(FormFields.object(text.hasPrefix("?") ? text.dropFirst() : text[...])))
                return .returns
            },
        ]
    }
}
