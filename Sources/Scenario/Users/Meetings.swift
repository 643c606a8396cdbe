import JSON

/// Where users of one process wait for each other: barriers that open for a number of users, and mailboxes.
///
/// A scenario that plays alone has meetings of its own, in which its threads meet.
final class Meetings {
    /// At most this many letters lie in a mailbox that nobody reads.
    static let mailboxLimit = 100_000

    private struct Waiting {
        let number: Int
        let resume: (JSONValue) -> Void
    }

    private struct Mailbox {
        var letters: [JSONValue] = []
        var first = 0
        var readers: [Waiting] = []
    }

    private var barriers: [String: [Waiting]] = [:]
    private var mailboxes: [String: Mailbox] = [:]
    private var lastNumber = 0

    /// Waits at a barrier until as many have come as it takes; then all go on and it closes behind them.
    ///
    /// - Parameters:
    ///   - count: How many it takes, the caller included.
    ///   - resume: Called once it opens, at once for the last.
    /// - Returns: What takes the wait back.
    func arrive(at name: String, count: Int, _ resume: @escaping (JSONValue) -> Void) -> () -> Void {
        self.lastNumber += 1
        let number = self.lastNumber
        let waiting = self.barriers[name, default: []] + [Waiting(number: number, resume: resume)]
        guard waiting.count >= count else {
            self.barriers[name] = waiting
            return { [weak self] in self?.barriers[name]?.removeAll { $0.number == number } }
        }
        self.barriers[name] = nil
        for one in waiting { one.resume(.null) }
        return {}
    }

    /// Puts a letter into a mailbox; who has waited longest gets it.
    ///
    /// - Returns: False if the mailbox is full.
    func post(_ letter: JSONValue, to name: String) -> Bool {
        if let reader = self.mailboxes[name]?.readers.first {
            self.mailboxes[name]?.readers.removeFirst()
            reader.resume(letter)
            return true
        }
        var mailbox = self.mailboxes[name, default: Mailbox()]
        guard mailbox.letters.count - mailbox.first < Self.mailboxLimit else { return false }
        mailbox.letters.append(letter)
        self.mailboxes[name] = mailbox
        return true
    }

    /// Takes the oldest letter out of a mailbox, waiting for one if it is empty.
    ///
    /// - Returns: What takes the wait back.
    func take(from name: String, _ resume: @escaping (JSONValue) -> Void) -> () -> Void {
        if let mailbox = self.mailboxes[name], mailbox.first < mailbox.letters.count {
            let letter = mailbox.letters[mailbox.first]
            self.mailboxes[name]?.first += 1
            if mailbox.first + 1 == mailbox.letters.count { self.mailboxes[name]?.letters = [] }
            if self.mailboxes[name]?.letters.isEmpty == true { self.mailboxes[name]?.first = 0 }
            resume(letter)
            return {}
        }
        self.lastNumber += 1
        let number = self.lastNumber
        self.mailboxes[name, default: Mailbox()].readers.append(Waiting(number: number, resume: resume))
        return { [weak self] in self?.mailboxes[name]?.readers.removeAll { $0.number == number } }
    }
}
