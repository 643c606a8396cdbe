/// Where the text of a script lets users meet who are not the same scenario: servers that all share, barriers and
/// mailboxes. It has to be known before a run that is played in several parts, for not all of them reach each other.
///
/// It reads the text and not what runs: what is named in a module, or put together as the script goes, is not found.
public struct ScriptMeetings: Equatable, Sendable {
    /// Whether it declares a server that all users share: `shared = true`.
    public private(set) var hasSharedServer = false

    /// The functions by which users wait for each other that it names, in the order of the text.
    public private(set) var functions: [String] = []

    /// Reads the text of a script.
    public init(reading text: String) {
        var reader = LuaTokenReader(text)
        var before = LuaTokenReader.Token.end
        while true {
            let token = reader.next()
            if case .end = token { return }
            if case .name(let place) = token, !Self.isMember(after: before) {
                self.take(String(decoding: reader.bytes[place], as: UTF8.self), reader)
            }
            before = token
        }
    }

    private static func isMember(after token: LuaTokenReader.Token) -> Bool {
        token == .symbol(UInt8(ascii: ".")) || token == .symbol(UInt8(ascii: ":"))
    }

    private mutating func take(_ name: String, _ rest: LuaTokenReader) {
        var rest = rest
        switch name {
        case "shared":
            guard rest.next() == .symbol(UInt8(ascii: "=")), case .name(let value) = rest.next() else { return }
            if rest.bytes[value].elementsEqual("true".utf8) { self.hasSharedServer = true }
        case "barrier", "mailbox":
            // A field or a variable of one's own may have the name of either.
            let next = rest.next()
            let isUsed = [UInt8(ascii: "("), UInt8(ascii: ".")].contains { next == .symbol($0) } || next == .literal
            if isUsed, !self.functions.contains(name) { self.functions.append(name) }
        default: break
        }
    }
}
