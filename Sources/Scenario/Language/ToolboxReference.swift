import Digests
import Machines
import XML

/// Tables of functions for those who speak a protocol themselves.
enum ToolboxReference {
    private typealias Parameter = ParameterDeclaration

    /// The tables, by their names.
    static let tables: [(name: String, functions: [MethodDeclaration])] = [
        ("base64", Self.base64), ("hex", Self.hex), ("url", Self.url), ("hash", Self.hash), ("hmac", Self.hmac),
        ("pbkdf2", Self.passwordKey), ("jwt", Self.token), ("gzip", Self.gzip), ("deflate", Self.deflate),
        ("xml", Self.xml),
    ]

    private static let byteForm = Parameter(
        "form", .choice(ByteForm.allCases.map(\.rawValue)), optional: true, "How it is written; `bytes` unless given.")

    private static let bytes = Parameter("bytes", .string, "Bytes or a text.")

    /// The options of `base64.encode`.
    static let base64Options = [
        Parameter("url", .boolean, optional: true, "Whether to use the alphabet for URLs; false unless given."),
        Parameter(
            "padding", .boolean, optional: true, "Whether `=` fills the end up; true unless given, false with `url`."),
    ]

    /// Functions of the table `base64`.
    private static let base64: [MethodDeclaration] = [
        MethodDeclaration(
            "encode", [Self.bytes, Parameter("options", .record(Self.base64Options), optional: true, "Options.")],
            returns: .string, "Bytes as base64."),
        MethodDeclaration(
            "decode", [Parameter("text", .string, "Base64 of either alphabet, with padding or without.")],
            returns: .string, "The bytes; raises an error."),
    ]

    /// Functions of the table `hex`.
    private static let hex: [MethodDeclaration] = [
        MethodDeclaration("encode", [Self.bytes], returns: .string, "Bytes as hexadecimal digits in lower case."),
        MethodDeclaration(
            "decode", [Parameter("text", .string, "Digits in either case.")], returns: .string,
            "The bytes; raises an error."),
    ]

    /// Functions of the table `url`.
    private static let url: [MethodDeclaration] = [
        MethodDeclaration(
            "encode", [Parameter("text", .string, "A part of a URL.")], returns: .string,
            "A text with every byte but letters, digits and `-._~` as `%XX`."),
        MethodDeclaration(
            "decode", [Parameter("text", .string, "A part of a URL.")], returns: .string,
            "A text with each `%XX` replaced by its byte, and bytes that are no UTF-8 then by U+FFFD; `+` stays, and so does a `%` without two digits."
        ),
        MethodDeclaration(
            "encode_query",
            [Parameter("parameters", .map(.json), "Texts, numbers, true, false, or lists of them, by name.")],
            returns: .string, "A query or the body of a form, in the order of the names: `a=1&b=x%20y`."),
        MethodDeclaration(
            "decode_query", [Parameter("text", .string, "A query, with or without `?`, or the body of a form.")],
            returns: .map(.json), "The values by name; a list where a name comes several times. `+` is a space."),
    ]

    /// Functions of the table `hash`.
    private static let hash: [MethodDeclaration] = Digest.allCases.map {
        MethodDeclaration($0.rawValue, [Self.bytes, Self.byteForm], returns: .string, "The digest \(Self.title($0)).")
    }

    /// Functions of the table `hmac`.
    private static let hmac: [MethodDeclaration] = Digest.allCases.map {
        MethodDeclaration(
            $0.rawValue, [Parameter("key", .string, "The key."), Self.bytes, Self.byteForm], returns: .string,
            "The code that authenticates bytes: HMAC with \(Self.title($0)).")
    }

    /// Functions of the table `pbkdf2`.
    private static let passwordKey: [MethodDeclaration] = Digest.allCases.map {
        MethodDeclaration(
            $0.rawValue,
            [
                Parameter("password", .string, "The password."), Parameter("salt", .string, "The salt."),
                Parameter("iterations", .integer, "How often; at most 1,000,000."),
                Parameter("length", .integer, optional: true, "How many bytes; \($0.count) unless given."),
                Self.byteForm,
            ], returns: .string, "A key made from a password: PBKDF2 with HMAC and \(Self.title($0)).")
    }

    private static func title(_ digest: Digest) -> String {
        switch digest {
        case .md5: "MD5"
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        case .sha512: "SHA-512"
        }
    }

    /// The options of `jwt.make`.
    static let tokenOptions = [
        Parameter(
            "algorithm", .choice(WebToken.Algorithm.allCases.map(\.rawValue)), optional: true,
            "How it is signed; `HS256` unless given. Signatures of `ES256` and `ES384` differ each time."),
        Parameter("header", .map(.json), optional: true, "Members of the header, such as `kid`."),
    ]

    /// Functions of the table `jwt`.
    private static let token: [MethodDeclaration] = [
        MethodDeclaration(
            "make",
            [
                Parameter("claims", .map(.json), "What the token says; times are seconds, as `date.epoch` gives them."),
                Parameter("key", .string, "The key of the HMAC, or a private key in PEM."),
                Parameter("options", .record(Self.tokenOptions), optional: true, "Options."),
            ], returns: .string, "A signed JSON Web Token."),
        MethodDeclaration(
            "read",
            [
                Parameter("token", .string, "The token."),
                Parameter(
                    "key", .string, optional: true,
                    "The key of the HMAC, or a public key in PEM; without it the signature is not checked."),
            ], returns: .map(.json),
            "The claims of a token, and its header as a second value; raises an error. Whether it has expired is not asked."
        ),
    ]

    /// The options of functions that expand.
    static let expandOptions = [
        Parameter(
            "limit", .integer, optional: true,
            "How many bytes it may become; 16 MB unless given, and at most. More is an error.")
    ]

    /// The options of the functions of `deflate`.
    static let deflateOptions = [
        Parameter(
            "raw", .boolean, optional: true,
            "Whether it is the bare stream (RFC 1951), as in WebSocket messages; false unless given.")
    ]

    private static func expand(_ options: [ParameterDeclaration], _ summary: String) -> MethodDeclaration {
        MethodDeclaration(
            "expand",
            [
                Parameter("bytes", .string, "What was compressed."),
                Parameter("options", .record(options), optional: true, "Options."),
            ], returns: .string, summary)
    }

    /// Functions of the table `gzip`.
    private static let gzip: [MethodDeclaration] = [
        MethodDeclaration("compress", [Self.bytes], returns: .string, "Bytes compressed (RFC 1952)."),
        Self.expand(Self.expandOptions, "What gzip has compressed; raises an error."),
    ]

    /// Functions of the table `deflate`.
    private static let deflate: [MethodDeclaration] = [
        MethodDeclaration(
            "compress", [Self.bytes, Parameter("options", .record(Self.deflateOptions), optional: true, "Options.")],
            returns: .string, "Bytes compressed in the format of zlib (RFC 1950), which HTTP calls `deflate`."),
        Self.expand(Self.deflateOptions + Self.expandOptions, "What was compressed so; raises an error."),
    ]

    /// Functions of the table `xml`.
    private static let xml: [MethodDeclaration] = [
        MethodDeclaration(
            "read", [Parameter("text", .string, "A whole document, or one element with all that it holds.")],
            returns: .record(XMLNode.members),
            "An element as a table of its `name` without a prefix, its `namespace`, the `attributes` by their names, "
                + "the `children`, each a text or such a table, and `text`, the texts among them; raises an error. "
                + "Declarations of document types are refused, and entities with them; comments and processing "
                + "instructions are left out."),
        MethodDeclaration(
            "write", [Parameter("element", .record(XMLNode.members), "The element.")], returns: .string,
            "An element as text, without a declaration; attributes in the order of their names."),
        MethodDeclaration(
            "escape", [Parameter("text", .string, "Any text.")], returns: .string,
            "A text as it stands in an element or an attribute."),
        MethodDeclaration(
            "reader", [], returns: .json, "A reader for a document that arrives in pieces, such as a stream of XMPP."),
    ]

    /// Methods of what `xml.reader()` returns.
    static let xmlReader: [MethodDeclaration] = [
        MethodDeclaration(
            "feed", [Parameter("bytes", .string, "More of it.")], "Gives the reader more of the document."),
        MethodDeclaration(
            "finish", [], "Says that the document has ended; what is missing is an error of `next` then."),
        MethodDeclaration(
            "next", [], returns: .json,
            "The next event, or nil until there is more: `{ kind = \"start\", name, namespace, attributes }`, "
                + "`{ kind = \"end\", name, namespace }` or `{ kind = \"text\", text }`. Comments and processing "
                + "instructions are none. Raises an error."),
    ]
}
