/// Something that plays, as a watchdog on another thread sees it.
protocol WatchedActivity: AnyObject, Sendable {
    /// What is done at the moment, a number that does not come again; nil if nothing is.
    var turn: UInt64? { get }

    /// Ends a turn as soon as possible, if there is a way; nothing happens if it has ended.
    func stop(_ turn: UInt64, because reason: String)
}
