import DequeModule
import JSON
import Machines

/// What one actor observed, in order, and how far its expectations have got.
struct EventLog {
    /// An actor keeps at most this many events; a server that sends more ends the scenario with an error.
    static let limit = 100_000

    /// The events that are kept, the oldest first.
    private(set) var events: Deque<LoggedEvent> = []

    /// How many events came before those that are kept.
    private(set) var forgottenCount = 0

    /// Those among them that nobody has expected, for they fail the scenario whenever they came.
    private var strays: [LoggedEvent] = []

    /// The first event that an expectation may still take: the one after the last that was taken.
    private(set) var cursor = 0

    /// Adds an event at the end.
    ///
    /// - Returns: Its place.
    mutating func append(
        _ event: ChatEvent, weight: Int = 0, at instant: Instant, isNoise: Bool, isAllowed: Bool = false
    ) -> Int {
        self.events.append(
            LoggedEvent(
                number: self.count + 1, at: instant, event: event, weight: weight,
                disposition: isNoise || isAllowed ? .noise : .open, isAllowed: isAllowed))
        return self.count - 1
    }

    /// How many events are held, whether or not they can still be taken.
    var heldCount: Int { self.events.count + self.strays.count }

    /// How many events there have been.
    var count: Int { self.forgottenCount + self.events.count }

    /// The event at a place, which is kept.
    subscript(place: Int) -> LoggedEvent { self.events[place - self.forgottenCount] }

    /// What became of the event at a place.
    func disposition(at place: Int) -> EventDisposition { self.events[place - self.forgottenCount].disposition }

    /// Lets go of old events that no expectation can take any more, once there are many.
    ///
    /// - Parameter retention: How many of them are kept, for people who look at a failure.
    /// - Returns: What those weighed that were let go.
    mutating func forget(by retention: EventRetention) -> Int {
        guard case .last(let limit) = retention else { return 0 }
        let excess = self.cursor - self.forgottenCount - limit
        // Not one at a time, for each would cost as much as many.
        guard excess >= limit else { return 0 }
        let weight = self.events.prefix(excess).reduce(0) { $0 + $1.weight }
        self.strays += self.events.prefix(excess).filter { $0.disposition == .open }
        self.events.removeFirst(excess)
        self.forgottenCount += excess
        return weight
    }

    /// Marks events as taken by an expectation; later expectations look only at what follows the last of them.
    mutating func take(_ places: [Int]) {
        for place in places {
            self.events[place - self.forgottenCount].disposition = .taken
            self.cursor = max(self.cursor, place + 1)
        }
    }

    /// Marks open events as noise where a test says so.
    mutating func markNoise(where isNoise: (ChatEvent) -> Bool) {
        for place in self.events.indices
        where self.events[place].disposition == .open && isNoise(self.events[place].event) {
            self.events[place].disposition = .noise
            self.events[place].isAllowed = true
        }
        self.strays.removeAll { isNoise($0.event) }
    }

    /// Marks all events so far as taken.
    mutating func takeAll() {
        self.take((self.forgottenCount..<self.count).filter { self[$0].disposition == .open })
        self.strays = []
    }

    /// The events that nothing took and nothing allows, also those that are no longer kept.
    var leftovers: [LoggedEvent] { self.strays + self.events.filter { $0.disposition == .open } }

    /// The place of the first event that came at an instant or later; zero where such may have been let go.
    func place(from instant: Instant) -> Int {
        var (low, high) = (0, self.events.count)
        while low < high {
            let middle = (low + high) / 2
            if self.events[middle].at < instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : self.forgottenCount + low
    }

    /// Whether an expectation took an event that has a text in a field, from a place on. Where such events are let go
    /// nobody knows.
    func wasTaken(saying text: String, from place: Int) -> Bool {
        self.forgottenCount > place
            || self.events.dropFirst(place - self.forgottenCount).contains {
                $0.disposition == .taken && $0.event.fields.contains { Self.says(text, $0.1) }
            }
    }

    /// Whether an expectation took an event of one of some kinds, or the scenario allows one, from a place on. Where
    /// such events are let go nobody knows.
    func wasExpected(_ kinds: Set<EventKind>, from place: Int) -> Bool {
        self.forgottenCount > place
            || self.events.dropFirst(place - self.forgottenCount).contains {
                ($0.disposition == .taken || $0.isAllowed) && kinds.contains($0.event.kind)
            }
    }

    private static func says(_ text: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let whole): whole.utf8.count >= text.utf8.count && whole.contains(text)
        case .array(let values): values.contains { Self.says(text, $0) }
        case .object(let members): members.contains { Self.says(text, $0.1) }
        default: false
        }
    }

    /// The places that an expectation may still take.
    var remaining: Range<Int> { self.cursor..<self.count }
}

/// What became of an observed event.
enum EventDisposition: Hashable {
    /// No expectation has taken it.
    case open
    /// An expectation took it.
    case taken
    /// A scenario need not expect it: the system calls it noise, or the scenario allows it.
    case noise
}

/// One observed event with its number and time.
struct LoggedEvent {
    /// Counted from one, per actor.
    let number: Int
    let at: Instant
    let event: ChatEvent
    /// About how many bytes of memory the event takes.
    let weight: Int
    var disposition: EventDisposition

    /// Whether it need not be expected because the scenario allows it, not because the system calls it noise.
    var isAllowed = false
}
