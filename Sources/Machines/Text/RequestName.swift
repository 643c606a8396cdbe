public import HTTPTypes
public import JSON

/// What a request is called in load figures and in reports.
///
/// Without a name of its own it is called by its method and its path, with `{id}` for what tells one user, room or
/// message from another, as the names of routes have it: thousands of URLs would be thousands of rows, and none of them
/// would say how long the login takes.
public enum RequestName {
    /// The longest name in bytes; defined here.
    public static let longest = 100

    /// The option of a request by which a script names it.
    public static let option = ParameterDeclaration(
        "name", .string, optional: true,
        "What the request is called in load figures and reports, such as `login`; its method and its path with `{id}` for numbers, UUIDs and the like unless given."
    )

    /// Reads the option, checked already.
    ///
    /// - Returns: Nil if it is not given.
    /// - Throws: ``ConfigurationError`` if nothing could be called so.
    public static func name(_ options: JSONObject) throws(ConfigurationError) -> String? {
        guard let name = options["name"]?.string else { return nil }
        guard 1...Self.longest ~= name.utf8.count, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw ConfigurationError("the name of a request has 1 to \(Self.longest) bytes, and no line ends")
        }
        return name
    }

    /// Returns what a request without a name is called.
    public static func template(of head: HTTPRequest) -> String {
        let path = (head.path ?? "/").utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var name = "\(head.method.rawValue) "
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let text = Self.isIdentifier(part) ? "{id}" : String(decoding: part, as: UTF8.self)
            guard name.utf8.count + text.utf8.count < Self.longest - 4 else { return name + "/…" }
            name += "/" + text
        }
        return name
    }

    /// So many hexadecimal digits are a name that a machine has given; years and versions have fewer.
    private static let shortestHexadecimal = 8

    /// Whether a part of a path tells one thing from others of its kind: a number, a UUID, hexadecimal digits, or any
    /// token: 16 characters and more, digits and letters.
    private static func isIdentifier(_ part: Substring.UTF8View.SubSequence) -> Bool {
        var digits = 0
        var letters = 0
        var hexadecimals = 0
        for byte in part {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): letters += 1
            default: break
            }
            if UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20 { hexadecimals += 1 }
        }
        guard digits > 0 else { return part.count > 64 }
        return digits == part.count || part.count >= 16 && letters > 0
            || part.count >= Self.shortestHexadecimal && digits + hexadecimals == part.count
    }
}
