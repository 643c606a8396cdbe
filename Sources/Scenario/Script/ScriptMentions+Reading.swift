extension ScriptMentions.Text {
    /// Reads the text of a script or a module.
    init(reading text: String) {
        self.init()
        var reader = LuaTokenReader(text)
        var before = LuaTokenReader.Token.end
        while true {
            let token = reader.next()
            switch token {
            case .end: return
            case .name(let place):
                let name = reader.bytes[place]
                // Handlers of a system in Lua are threads, too.
                if name.elementsEqual("spawn".utf8) || name.elementsEqual("system".utf8) { self.startsThreads = true }
                if name.elementsEqual("step".utf8) { self.hasSteps = true }
                if name.elementsEqual("shared".utf8) { self.coordination.nameShared() }
                let isMember = before == .symbol(UInt8(ascii: ".")) || before == .symbol(UInt8(ascii: ":"))
                if isMember {
                    if before == .symbol(UInt8(ascii: ":")), name.elementsEqual("server".utf8) {
                        self.coordination.startServer()
                    }
                } else if name.elementsEqual("require".utf8) {
                    self.readRequired(reader)
                } else if name.elementsEqual("system".utf8) {
                    if reader.isFollowed(by: "({") { self.systems += 1 }
                } else if name.elementsEqual("ledger".utf8) {
                    self.readLedger(reader)
                } else {
                    self.readCoordination(name, reader)
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

    /// Reads a name that may let users meet, and what follows it.
    private mutating func readCoordination(_ name: ArraySlice<UInt8>, _ reader: LuaTokenReader) {
        var reader = reader
        switch String(decoding: name, as: UTF8.self) {
        case "shared":
            guard reader.next() == .symbol(UInt8(ascii: "=")), case .name(let value) = reader.next() else { return }
            if reader.bytes[value].elementsEqual("true".utf8) { self.coordination.shareServer() }
        case "barrier", "mailbox":
            // A field or a variable of one's own may have the name of either.
            let next = reader.next()
            let isUsed = [UInt8(ascii: "("), UInt8(ascii: ".")].contains { next == .symbol($0) } || next == .literal
            if isUsed { self.coordination.add(String(decoding: name, as: UTF8.self)) }
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
}
