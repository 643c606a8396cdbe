/// What the texts of scripts mention, for those who want to know before anything is played what a run may do.
///
/// Texts only tell what there may be: a name in a comment counts for nothing, and one that is put together while a
/// scenario plays cannot be known.
public struct ScriptMentions: Sendable {
    /// Whether a plain actor may say which of its messages are texts: its option `ledger`.
    public private(set) var hasLedgerOption = false

    /// Whether texts name a port of this machine as somebody who listens already, and start no simulated server, whose
    /// port it might be: what they speak to then is real.
    var namesRealAddress: Bool { self.namesAddress && !self.startsServer }

    private var (namesAddress, startsServer) = (false, false)

    /// What texts require by its name.
    private(set) var required: Set<String> = []

    /// What was found while files were loaded.
    private var found: Set<String> = []

    /// Whether a text requires something whose name it does not spell out.
    private var requiresUnknown = false

    /// How many systems texts declare, and how many were declared while the files were loaded.
    private var (writtenSystems, declaredSystems) = (0, 0)

    /// Whether everything that texts require or declare is known: it came while the files were loaded, and not later,
    /// while a scenario plays.
    public var isComplete: Bool {
        !self.requiresUnknown && self.required.isSubset(of: self.found) && self.declaredSystems >= self.writtenSystems
    }

    /// Takes in the text of a script or a module.
    mutating func read(_ text: String) {
        var reader = LuaTokenReader(text)
        var before = LuaTokenReader.Token.end
        while true {
            let token = reader.next()
            switch token {
            case .end: return
            case .name(let place):
                let name = reader.bytes[place]
                let isMember = before == .symbol(UInt8(ascii: ".")) || before == .symbol(UInt8(ascii: ":"))
                if isMember {
                    if before == .symbol(UInt8(ascii: ":")), name.elementsEqual("server".utf8) {
                        self.startsServer = true
                    }
                } else if name.elementsEqual("require".utf8) {
                    self.readRequired(reader)
                } else if name.elementsEqual("system".utf8) {
                    if reader.isFollowed(by: "({") { self.writtenSystems += 1 }
                } else if name.elementsEqual("ledger".utf8) {
                    self.readLedger(reader)
                }
            case .literal: if Self.isAddress(reader.bytes[reader.start..<reader.place]) { self.namesAddress = true }
            case .symbol, .concatenation, .other: break
            }
            before = token
        }
    }

    /// Reads what follows the word `require`.
    private mutating func readRequired(_ reader: LuaTokenReader) {
        var reader = reader
        if reader.isFollowed(by: "(") { _ = reader.next() }
        guard reader.next() == .literal, let quote = reader.bytes[reader.start...].first,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return self.requiresUnknown = true }
        let name = reader.bytes[reader.start..<reader.place].dropFirst().dropLast()
        self.required.insert(String(decoding: name, as: UTF8.self))
    }

    /// Reads what follows the word `ledger`.
    private mutating func readLedger(_ reader: LuaTokenReader) {
        var reader = reader
        guard reader.next() == .symbol(UInt8(ascii: "=")) else { return }
        switch reader.next() {
        case .name(let place):
            let value = reader.bytes[place]
            if !value.elementsEqual("true".utf8), !value.elementsEqual("false".utf8) { self.hasLedgerOption = true }
        case .symbol(UInt8(ascii: "{")): self.hasLedgerOption = true
        default: break
        }
    }

    /// Whether a literal is the address of a port of this machine.
    private static func isAddress(_ literal: ArraySlice<UInt8>) -> Bool {
        guard let quote = literal.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
        let text = literal.dropFirst()
        let schemes = ["http://", "https://", "ws://", "wss://", "tcp://", "tls://"]
        guard let scheme = schemes.first(where: { text.starts(with: $0.utf8) }) else { return false }
        let place = text.dropFirst(scheme.utf8.count)
        func isPort(_ rest: ArraySlice<UInt8>) -> Bool {
            guard rest.first == UInt8(ascii: ":"), let digit = rest.dropFirst().first else { return false }
            return Self.digits ~= digit
        }
        for name in ["localhost", "[::1]"] where place.starts(with: name.utf8) {
            return isPort(place.dropFirst(name.utf8.count))
        }
        let host = place.prefix { Self.digits ~= $0 || $0 == UInt8(ascii: ".") }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return host.starts(with: "127.".utf8) && parts.count == 4 && parts.allSatisfy { !$0.isEmpty }
            && isPort(place.dropFirst(host.count))
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// Notes that something that scripts require was found, and taken in if it is Lua.
    mutating func find(_ name: String) { self.found.insert(name) }

    /// Notes that a system was declared.
    mutating func declare() { self.declaredSystems += 1 }

    /// Takes in what other scripts mention.
    mutating func add(_ other: ScriptMentions) {
        self.hasLedgerOption = self.hasLedgerOption || other.hasLedgerOption
        self.requiresUnknown = self.requiresUnknown || !other.isComplete
    }
}
