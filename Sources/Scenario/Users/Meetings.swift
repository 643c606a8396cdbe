import DequeModule
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
        var letters: Deque<(value: JSONValue, weight: Int)> = []
        var readers: [Waiting] = []
    }

    private var barriers: [String: [Waiting]] = [:]
    private var mailboxes: [String: Mailbox] = [:]
    private var lastNumber = 0

    /// How many bytes all letters may take that nobody has taken, and how many they take.
    private let limit: Int
    private var held = 0

    init(limit: Int) {
        self.limit = limit
    }

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
    /// - Returns: Why there is no room for it, or nil.
    func post(_ letter: JSONValue, to name: String) -> String? {
        if let reader = self.mailboxes[name]?.readers.first {
            self.mailboxes[name]?.readers.removeFirst()
            reader.resume(letter)
            return nil
        }
        var mailbox = self.mailboxes[name, default: Mailbox()]
        guard mailbox.letters.count < Self.mailboxLimit else {
            return "the mailbox \"\(name)\" holds \(Self.mailboxLimit) letters that nobody takes"
        }
        let weight = 64 + letter.weight
        guard self.held + weight <= self.limit else {
            return "the mailboxes hold \(self.held >> 20) MB of letters that nobody takes, and \"\(name)\" is to get "
                + "one more; limits.held_memory in repartee.lua raises the limit of \(self.limit >> 20) MB"
        }
        self.held += weight
        // Not two of it at a time: a copy of a full mailbox for each letter would make the time square.
        self.mailboxes[name] = nil
        mailbox.letters.append((letter, weight))
        self.mailboxes[name] = mailbox
        return nil
    }

    /// Takes the oldest letter out of a mailbox, waiting for one if it is empty.
    ///
    /// - Returns: What takes the wait back.
    func take(from name: String, _ resume: @escaping (JSONValue) -> Void) -> () -> Void {
        if let (letter, weight) = self.mailboxes[name]?.letters.popFirst() {
            self.held -= weight
            resume(letter)
            return {}
        }
        self.lastNumber += 1
        let number = self.lastNumber
        self.mailboxes[name, default: Mailbox()].readers.append(Waiting(number: number, resume: resume))
        return { [weak self] in self?.mailboxes[name]?.readers.removeAll { $0.number == number } }
    }
}
