@preconcurrency import Dispatch
import LuaRuntime
import Machines
import Synchronization

/// Sees from a thread of its own whether what plays gets on, and ends what does not.
///
/// Scripts have a budget of instructions and machines take short steps, but instructions are not time: one comparison
/// of long texts, or a mistake in a machine, may take as long as it likes, and the thread that plays hears nothing
/// then, no time limit and no signal. Of everything that plays the watchdog sees a count that changes with each turn.
/// Where one turn lasts too long, the script is told to end; where that does not help, whoever runs the process is told
/// to.
///
/// It reads no clock: it counts how often it has slept, so that a process that was stopped for an hour has not been
/// busy for an hour. There is one for the process, as for its signals: what plays is made far from those who run it.
public final class Watchdog: Sendable {
    /// The watchdog of the process.
    public static let shared = Watchdog()

    /// How long a turn may last, unless ``setLimit(_:)`` says otherwise.
    public static let standardLimit = Duration.seconds(10)

    /// How long a turn may last in a run that is to end.
    private static let hurriedLimit = Duration.seconds(2)

    private static let interval = Duration.milliseconds(100)

    private struct Watched {
        weak var activity: (any WatchedActivity)?
        var turn: UInt64?
        var ticks = 0
    }

    private struct State {
        var source: (any DispatchSourceTimer)?
        var limit = Watchdog.standardLimit
        var isHurried = false
        var watched: [Watched] = []
        var onHang: [Int: @Sendable (String) -> Void] = [:]
        var lastNumber = 0
        var isHanging = false
    }

    private let state = Mutex(State())

    private init() {}

    /// Begins to watch what is made from now on; never ends.
    public func begin() {
        self.state.withLock { state in
            guard state.source == nil else { return }
            // A queue of its own has a thread of its own, also while all those that play are busy.
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "repartee.watchdog"))
            let milliseconds = Int(Self.interval / .milliseconds(1))
            source.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
            source.setEventHandler { self.look() }
            source.activate()
            state.source = source
        }
    }

    /// Watches something as long as it exists, once the watchdog has begun.
    func watch(_ activity: any WatchedActivity) {
        self.state.withLock { state in
            if state.source != nil { state.watched.append(Watched(activity: activity)) }
        }
    }

    /// Changes how long a turn may last.
    public func setLimit(_ limit: Duration) { self.state.withLock { $0.limit = limit } }

    /// Gives every turn little time from now on, because the run is to end.
    public func hurry() {
        self.state.withLock { state in
            guard !state.isHurried else { return }
            state.isHurried = true
            for place in state.watched.indices { state.watched[place].ticks = 0 }
        }
    }

    /// Says who ends the process if a turn cannot be ended, instead of those who said so before; no turn is in a hurry
    /// from now on.
    ///
    /// - Parameter action: Gets what happened, in words; called once, on the watchdog's thread.
    /// - Returns: What ``forget(_:)`` takes.
    public func onHang(_ action: @escaping @Sendable (String) -> Void) -> Int {
        self.state.withLock { state in
            state.isHurried = false
            state.lastNumber += 1
            state.onHang[state.lastNumber] = action
            return state.lastNumber
        }
    }

    /// Takes back an action.
    public func forget(_ number: Int) {
        self.state.withLock { state in
            state.isHurried = false
            state.onHang[number] = nil
        }
    }

    private func look() {
        let (end, text) = self.state.withLock { state in
            state.watched.removeAll { $0.activity == nil }
            let limit = state.isHurried ? min(state.limit, Self.hurriedLimit) : state.limit
            let most = max(1, Int(limit / Self.interval))
            var longest = 0
            for place in state.watched.indices {
                let turn = state.watched[place].activity?.turn
                if turn == nil || turn != state.watched[place].turn {
                    state.watched[place].turn = turn
                    state.watched[place].ticks = 0
                    continue
                }
                state.watched[place].ticks += 1
                longest = max(longest, state.watched[place].ticks)
                guard state.watched[place].ticks == most, let turn else { continue }
                state.watched[place].activity?.stop(turn, because: Self.reason(limit, isHurried: state.isHurried))
            }
            guard longest >= 2 * most, !state.isHanging else { return (nil as (@Sendable (String) -> Void)?, "") }
            state.isHanging = true
            return (
                state.onHang.max { $0.key < $1.key }?.value,
                "the process was busy for \((limit * 2).scriptText) with one thing and could not be stopped"
            )
        }
        end?(text)
    }

    private static func reason(_ limit: Duration, isHurried: Bool) -> String {
        isHurried
            ? "the script went on for \(limit.scriptText) without waiting when the run was to end"
            : "the script went on for \(limit.scriptText) without waiting: look for a loop that does not end, or for "
                + "one that works on very long texts; limits.busy in repartee.lua raises the limit"
    }
}

extension LuaWatch: WatchedActivity {}
