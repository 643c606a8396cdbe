/// The reactions of a member that have no answer yet: one request at a time for each message.
///
/// A reaction takes the place of the one before, so the next can be asked for only when the answer to the one before is
/// there: it says which action is to be taken away.
///
/// | message | input | → message | returns |
/// |---|---|---|---|
/// | free | `wished`, its publish token known | busy | the wish, to be asked for |
/// | free, busy | `wished`, its publish token not known, or busy | unchanged | |
/// | busy | `ended`, wishes wait | busy | the oldest wish |
/// | busy | `ended`, nothing waits | free | |
/// | free | `published`, wishes wait | busy | the oldest wish |
struct ReactionQueue: Sendable {
    /// What a member wants its reaction to be.
    struct Wish: Hashable, Sendable {
        /// The reaction; nil takes back the one that is there.
        let reaction: String?
        /// The method of the vendor's SDK.
        let callback: String
    }

    /// What happens to the reactions of one message.
    enum Input: Sendable {
        case wished(Wish, isPublished: Bool)
        /// Everything that a wish asked for has an answer.
        case ended
        /// The message has its publish token now.
        case published
    }

    /// At most this many wishes wait in a room; defined here.
    static let limit = 1_000

    private var waiting: [String: [Wish]] = [:]
    private var busy: Set<String> = []
    private var count = 0

    /// Whether no further wish is taken.
    var isFull: Bool { self.count >= Self.limit }

    /// Takes in what happened to the reactions of a message.
    ///
    /// - Parameter message: The id that the message has in the list.
    /// - Returns: The wish that is to be asked for now.
    mutating func handle(_ input: Input, of message: String) -> Wish? {
        switch input {
        case .wished(let wish, let isPublished):
            guard isPublished, !self.busy.contains(message), self.waiting[message] == nil else {
                self.waiting[message, default: []].append(wish)
                self.count += 1
                return nil
            }
            self.busy.insert(message)
            return wish
        case .ended:
            self.busy.remove(message)
            return self.next(of: message)
        case .published: return self.busy.contains(message) ? nil : self.next(of: message)
        }
    }

    private mutating func next(of message: String) -> Wish? {
        guard var wishes = self.waiting[message], !wishes.isEmpty else { return nil }
        let wish = wishes.removeFirst()
        self.waiting[message] = wishes.isEmpty ? nil : wishes
        self.count -= 1
        self.busy.insert(message)
        return wish
    }

    /// Goes on under the id that the server has given a message.
    mutating func rename(_ id: String, to newID: String) {
        guard id != newID else { return }
        self.waiting[newID] = self.waiting.removeValue(forKey: id)
        if self.busy.remove(id) != nil { self.busy.insert(newID) }
    }
}
