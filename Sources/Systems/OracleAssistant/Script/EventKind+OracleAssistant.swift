import Machines

/// The kinds of events that only Oracle's assistant has.
extension EventKind {
    static let destroyed = EventKind("destroyed")
    static let beforeEnd = EventKind("before_end")
    static let suggestions = EventKind("suggestions")
    static let timestampChanged = EventKind("timestamp_changed")
    static let recordingStarted = EventKind("recording_started")
    static let recordingStopped = EventKind("recording_stopped")
    static let speechLevel = EventKind("speech_level")
    static let speechPartial = EventKind("speech_partial")
    static let speechFinal = EventKind("speech_final")
    static let speechSpoken = EventKind("speech_spoken")
    static let speechStopped = EventKind("speech_stopped")
    static let pollLost = EventKind("poll_lost")
    static let skillEvent = EventKind("skill_event")
}
