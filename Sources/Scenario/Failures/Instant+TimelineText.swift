import Machines

extension Instant {
    /// The time since the scenario began, as timelines and failures show it.
    var timelineText: String { (self - .start).timelineText }
}
