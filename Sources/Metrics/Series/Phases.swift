/// The named parts of a run over time, such as `ramp-up` and `steady`.
///
/// A time belongs to the part in which it began, whatever else is recorded to the one in which it happened.
public struct Phases: Hashable, Sendable {
    /// One part, which lasts until the next one begins.
    public struct Phase: Hashable, Sendable {
        /// The name; several parts may share it.
        public var name: String
        /// When it begins, in microseconds since the start of the run.
        public var startMicroseconds: Int64
        /// Whether figures of the whole run are made of it, too; they are not of a warm-up.
        public var isCounted: Bool

        /// Creates a part.
        public init(_ name: String, startMicroseconds: Int64, isCounted: Bool = true) {
            self.name = name
            self.startMicroseconds = startMicroseconds
            self.isCounted = isCounted
        }
    }

    /// The parts in their order; the first one begins with the run.
    public let list: [Phase]

    /// Samples before the first begin belong to the first one; without any there is one part named `run`.
    public init(_ list: [Phase] = []) {
        let sorted = list.sorted { ($0.startMicroseconds, $0.name) < ($1.startMicroseconds, $1.name) }
        self.list = sorted.isEmpty ? [Phase("run", startMicroseconds: 0)] : sorted
    }

    /// The names, each once, in order.
    public var names: [String] {
        var seen: Set<String> = []
        return self.list.map(\.name).filter { seen.insert($0).inserted }
    }

    /// From when on figures of the whole run count: the begin of the first part that does.
    public var countedStart: Int64 {
        guard let place = self.list.firstIndex(where: \.isCounted), place > 0 else { return 0 }
        return max(0, self.list[place].startMicroseconds)
    }

    /// Returns the place of the part at a time.
    func place(at microseconds: Int64) -> Int {
        max(0, (self.list.firstIndex { $0.startMicroseconds > microseconds } ?? self.list.count) - 1)
    }

    /// Returns the spans of all parts of a name, from their begin up to the next part's; the last one is open.
    func spans(named name: String) -> [Range<Int64>] {
        self.list.indices.filter { self.list[$0].name == name }.map { place in
            let isLast = place + 1 == self.list.count
            let start = place == 0 ? 0 : self.list[place].startMicroseconds
            return start..<max(start, isLast ? .max : self.list[place + 1].startMicroseconds)
        }
    }
}
