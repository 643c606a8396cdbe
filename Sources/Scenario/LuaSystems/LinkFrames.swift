import JSON
import Machines

/// How scripts say how the messages on a link over TCP are told apart: `frames`.
enum LinkFrames {
    /// The option of `me:open`.
    static let option = ParameterDeclaration(
        "frames", .json, optional: true,
        "Opens a link over TCP, or over TLS to `tls://host:port`, and says how messages are told apart: `\"lines\"` (`{ lines = \"\\r\\n\" }` to send that line end, `{ lines = \"\\x1e\" }` for records that end in other bytes), `\"bytes\"` (as they arrive), `{ length = 4, order = \"big\", counts_itself = false }` (a length before each message). Lines come to `on.text`, the others to `on.bytes`."
    )

    /// The members of `frames` where it is a table.
    private static let members = [
        ParameterDeclaration(
            "lines", .string, optional: true,
            "What ends a line, one or two bytes of UTF-8; of \"\\n\" and \"\\r\\n\" either is understood."),
        ParameterDeclaration(
            "length", .integer, optional: true, "How many bytes the length before a message has, from 1 to 8."),
        ParameterDeclaration(
            "order", .choice(["big", "little"]), optional: true,
            "Whether the length has its highest or its lowest byte first; \"big\" unless given."),
        ParameterDeclaration(
            "counts_itself", .boolean, optional: true,
            "Whether the length counts its own bytes, too; false unless given."
        ),
    ]

    /// Why TLS does not begin where it stands already.
    static let isEncrypted = "the link is encrypted already"

    /// Why TLS does not begin in the middle of something that is no link.
    static let isWebSocket = "a WebSocket is encrypted from its beginning, where its URL says so: wss://host"

    /// What `frames` can be, for messages.
    private static let choices =
        "\"lines\", \"bytes\", { lines = \"\\r\\n\" } or { length = 4, order = \"big\", counts_itself = false }"

    /// Reads `frames`.
    ///
    /// - Parameters:
    ///   - value: What the script gave.
    ///   - place: Where it stands, for messages.
    /// - Throws: ``UsageError`` that says what is wrong.
    static func framing(_ value: JSONValue, of place: String) throws(UsageError) -> LinkFraming {
        switch value.string {
        case "lines"?: return .lines(.lineFeed)
        case "bytes"?: return .bytes
        case let text?:
            throw UsageError(
                "\(place): frames cannot be \"\(text)\""
                    + TextDistance.hint(text, among: ["lines", "bytes"], otherwise: "it is \(Self.choices)"))
        case nil: break
        }
        guard let table = value.object else { throw UsageError("\(place): frames is \(Self.choices)") }
        let checked = try ArgumentChecker(call: "\(place): frames", member: "member").record(table, Self.members)
        if let text = checked["lines"]?.string {
            guard checked.count == 1, let end = LinkFraming.LineEnd(text) else {
                throw UsageError(
                    "\(place): frames: lines stands alone, and is one or two bytes, such as \"\\r\\n\" or \"\\x1e\"")
            }
            return .lines(end)
        }
        guard let size = checked["length"]?.integer, 1...8 ~= size else {
            throw UsageError("\(place): frames is \(Self.choices), with a length from 1 to 8 bytes")
        }
        return .prefixed(
            LinkFraming.LengthPrefix(
                size: Int(size), isLittleEndian: checked["order"]?.string == "little",
                countsItself: checked["counts_itself"]?.bool ?? false))
    }
}

extension LinkFraming {
    /// What a message is called to the engine's Lua, which knows whether the system reads texts or bytes.
    ///
    /// A line is a text to Lua, whose texts are bytes, also where it is none to JSON; a message behind its length may
    /// be either.
    var arrival: String {
        switch self {
        case .lines: "line"
        case .prefixed: "framed"
        case .bytes: "bytes"
        }
    }
}
