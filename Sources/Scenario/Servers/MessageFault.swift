import JSON
import Machines

/// Why what has come is no message that its sender may send.
struct MessageFault: Error, Hashable {
    /// What is wrong, in one line: which message, which member, and what was there.
    let message: String

    /// Whether it is the beginning of a message whose rest cannot come.
    let isUnfinished: Bool

    init(_ message: String, isUnfinished: Bool = false) {
        self.message = message
        self.isUnfinished = isUnfinished
    }

    /// The reason with which a connection is closed because of it: as much of it as a close frame takes.
    var closeReason: String {
        guard self.message.utf8.count > CloseReason.limit else { return self.message }
        var count = "…".utf8.count
        let beginning = self.message.prefix { character in
            count += character.utf8.count
            return count <= CloseReason.limit
        }
        return beginning + "…"
    }
}
