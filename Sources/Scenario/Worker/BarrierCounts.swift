/// For how many those who wait at barriers have said that these are: a barrier of two numbers would never open for
/// some.
final class BarrierCounts {
    private var barriers: [String: (count: Int, waiting: Int)] = [:]

    /// Notes that somebody comes to a barrier.
    ///
    /// - Returns: Why it cannot be the one at which others wait, or nil.
    func enter(_ name: String, count: Int) -> String? {
        guard let known = self.barriers[name] else {
            self.barriers[name] = (count, 1)
            return nil
        }
        guard known.count == count else {
            return
                "barrier \"\(name)\" is for \(count) here, and others wait at it for \(known.count): give both the same "
                + "number, or two names"
        }
        self.barriers[name] = (count, known.waiting + 1)
        return nil
    }

    /// Notes that somebody has gone on or waits no more.
    func leave(_ name: String) {
        guard let known = self.barriers[name] else { return }
        self.barriers[name] = known.waiting > 1 ? (known.count, known.waiting - 1) : nil
    }
}
