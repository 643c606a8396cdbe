import DequeModule
import JSON

/// The barriers and mailboxes of one thread.
///
/// A scenario that plays alone has barriers and mailboxes of its own, in which its threads meet.
final class LocalCoordination: Coordination {
    /// At most this many letters lie in a mailbox that nobody reads.
    static let mailboxLimit = 100_000

    private struct Waiting {
        let number: Int
        let resume: (JSONValue) -> Void
    }

    /// A barrier of two numbers would never open for some.
    private struct Barrier {
        let count: Int
        var waiting: [(number: Int, resume: (String?) -> Void)] = []
    }

    private struct Mailbox {
        var letters: Deque<(value: JSONValue, weight: Int)> = []
        var readers: [Waiting] = []

        var isEmpty: Bool { self.letters.isEmpty && self.readers.isEmpty }
    }

    private var barriers: [String: Barrier] = [:]

    /// Only those with letters or readers: a long run may make a new name for each exchange.
    private var mailboxes: [String: Mailbox] = [:]
    private var lastNumber = 0

    /// How many bytes all letters may take that nobody has taken, and how many they take.
    private let limit: Int
    private var held = 0

    init(limit: Int) {
        self.limit = limit
    }

    func arrive(at name: String, count: Int, _ resume: @escaping (_ refusal: String?) -> Void) -> () -> Void {
        self.lastNumber += 1
        let number = self.lastNumber
        var barrier = self.barriers[name] ?? Barrier(count: count)
        guard barrier.count == count else {
            resume(
                "barrier \"\(name)\" is for \(count) here, and others wait at it for \(barrier.count): give both the same "
                    + "number, or two names")
            return {}
        }
        // Not two of it at a time, as with mailboxes.
        self.barriers[name] = nil
        barrier.waiting.append((number, resume))
        guard barrier.waiting.count >= count else {
            self.barriers[name] = barrier
            return { [weak self] in self?.leave(number, name) }
        }
        for one in barrier.waiting { one.resume(nil) }
        return {}
    }

    /// Lets somebody go who waits no more; a barrier at which nobody waits may be for another number.
    private func leave(_ number: Int, _ name: String) {
        self.barriers[name]?.waiting.removeAll { $0.number == number }
        if self.barriers[name]?.waiting.isEmpty == true { self.barriers[name] = nil }
    }

    func post(_ letter: JSONValue, to name: String) -> String? {
        if let reader = self.takeReader(of: name) {
            reader.resume(letter)
            return nil
        }
        var mailbox = self.mailboxes[name, default: Mailbox()]
        guard mailbox.letters.count < Self.mailboxLimit else {
            return "the mailbox \"\(name)\" holds \(Self.mailboxLimit) letters that nobody takes"
        }
        let weight = Self.weight(of: letter)
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

    /// Puts a letter back that was taken by a reader who did not wait any longer; it is the oldest again.
    func putBack(_ letter: JSONValue, to name: String) {
        if let reader = self.takeReader(of: name) { return reader.resume(letter) }
        let weight = Self.weight(of: letter)
        self.held += weight
        var mailbox = self.mailboxes[name, default: Mailbox()]
        self.mailboxes[name] = nil
        mailbox.letters.prepend((letter, weight))
        self.mailboxes[name] = mailbox
    }

    /// What a letter takes, with the place that it lies in.
    private static func weight(of letter: JSONValue) -> Int { 64 + letter.weight }

    func take(from name: String, _ resume: @escaping (JSONValue) -> Void) -> () -> Void {
        if let (letter, weight) = self.mailboxes[name]?.letters.popFirst() {
            self.held -= weight
            self.removeIfEmpty(name)
            resume(letter)
            return {}
        }
        self.lastNumber += 1
        let number = self.lastNumber
        self.mailboxes[name, default: Mailbox()].readers.append(Waiting(number: number, resume: resume))
        return { [weak self] in
            self?.mailboxes[name]?.readers.removeAll { $0.number == number }
            self?.removeIfEmpty(name)
        }
    }

    /// Takes the reader of a mailbox who has waited longest out of it, if there is one.
    private func takeReader(of name: String) -> Waiting? {
        guard self.mailboxes[name]?.readers.isEmpty == false else { return nil }
        defer { self.removeIfEmpty(name) }
        return self.mailboxes[name]?.readers.removeFirst()
    }

    private func removeIfEmpty(_ name: String) {
        if self.mailboxes[name]?.isEmpty == true { self.mailboxes[name] = nil }
    }
}
