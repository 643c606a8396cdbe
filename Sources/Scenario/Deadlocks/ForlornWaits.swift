/// The waits of an execution that nothing of their own actor can meet any more.
///
/// They are few, mostly none, and only while there are some does anybody look whether something else can.
struct ForlornWaits {
    private(set) var waits: [any ActorWait] = []

    /// Whether somebody is going to look at them.
    var isLookedAt = false

    mutating func add(_ wait: any ActorWait) {
        guard !self.waits.contains(where: { $0 === wait }) else { return }
        self.waits.append(wait)
    }

    mutating func remove(_ wait: any ActorWait) {
        self.removeAll { $0 === wait }
    }

    mutating func removeAll(where isMeant: (any ActorWait) -> Bool) {
        self.waits.removeAll(where: isMeant)
    }
}
