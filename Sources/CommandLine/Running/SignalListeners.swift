/// Who hears the signals that ask the process to end, and how soon it ends in any case.
///
/// The first signal is for those who listen; they end in their own time, with reports. One that comes while nobody
/// listens, as between two runs or after the last one, is for who listens next, unless the process ends before. Who
/// sends a second one waits only as long as reports need: when the time for that is over, listeners have the last word,
/// so that a record has its end also where what plays cannot be waited for. Who sends a third one does not wait at all.
/// That the terminal has gone counts once: the shell and the kernel both tell of it, and nobody is impatient.
struct SignalListeners: Sendable {
    typealias Action = @Sendable () -> Void

    /// When the process ends, whatever else it does.
    enum End: Hashable, Sendable {
        /// When those who heard the signal are done.
        case open
        /// When the time for reports is over, unless somebody has begun to listen.
        case afterGraceUnlessTaken
        /// When the time for reports is over.
        case afterGrace
        case atOnce
    }

    private var actions: [Int: Action] = [:]
    private var endings: [Int: Action] = [:]
    private var last = 0
    private var heard = 0
    private var heardHangup = false

    /// Whether a signal has come that nobody has heard.
    private(set) var isMissed = false

    /// What listeners have to do before the process ends without waiting for anything else.
    var lastWords: [Action] { Array(self.endings.values) }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - action: Hears signals.
    ///   - ending: Has the last word where the process ends without waiting for anything else; nil if there is nothing
    ///     to say.
    /// - Returns: The listener's number, and whether it is late: a signal has come that nobody has heard.
    mutating func add(_ action: @escaping Action, ending: Action? = nil) -> (number: Int, isLate: Bool) {
        self.last += 1
        self.actions[self.last] = action
        self.endings[self.last] = ending
        defer { self.isMissed = false }
        self.heard = self.isMissed ? 1 : 0
        return (self.last, self.isMissed)
    }

    /// A listener listens no more.
    mutating func remove(_ number: Int) {
        self.actions[number] = nil
        self.endings[number] = nil
    }

    /// A signal has come.
    ///
    /// - Parameter isHangup: Whether it tells that the terminal has gone.
    /// - Returns: What hears it, and when the process ends.
    mutating func hear(isHangup: Bool = false) -> (actions: [Action], end: End) {
        if isHangup {
            guard !self.heardHangup else { return ([], .open) }
            self.heardHangup = true
        }
        self.heard += 1
        if self.actions.isEmpty { self.isMissed = true }
        let end: End =
            switch self.heard {
            case 1: self.isMissed ? .afterGraceUnlessTaken : .open
            case 2: .afterGrace
            default: .atOnce
            }
        return (Array(self.actions.values), end)
    }
}
