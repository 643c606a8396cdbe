/// Tells where a text that comes in parts may be a whole object or array of JSON: where all that it opens is closed.
///
/// Each byte is looked at once, whatever parts it comes in. Whether what is closed is JSON only a reader can tell, and
/// it need be asked once: what follows a whole value cannot make another one of it.
struct JSONNesting {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether something has come before the first bracket or behind the last one.
    private var isBroken = false

    /// Whether the last bracket has come.
    private var hasClosed = false

    /// Whether objects and arrays were opened and all of them are closed.
    var isClosed: Bool { self.hasClosed && !self.isBroken }

    /// Takes in the next part.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard !self.isBroken else { return }
            self.take(byte)
        }
    }

    /// Takes no more in: what is closed is not JSON.
    mutating func giveUp() { self.isBroken = true }

    private mutating func take(_ byte: UInt8) {
        guard !self.isInString else {
            if self.isEscaped {
                self.isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                self.isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                self.isInString = false
            }
            return
        }
        switch byte {
        case _ where byte.isJSONSpace: break
        case _ where self.hasClosed: self.isBroken = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.depth += 1
        case _ where self.depth == 0: self.isBroken = true
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            self.depth -= 1
            self.hasClosed = self.depth == 0
        case UInt8(ascii: "\""): self.isInString = true
        default: break
        }
    }
}
