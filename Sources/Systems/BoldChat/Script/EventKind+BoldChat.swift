import Machines

/// The kinds of events that only BoldChat has.
extension EventKind {
    static let callRepeated = EventKind("call_repeated")
    static let eventIgnored = EventKind("event_ignored")
    static let callIgnored = EventKind("call_ignored")
    static let available = EventKind("available")
    static let recapture = EventKind("recapture")
    static let cobrowseEnded = EventKind("cobrowse_ended")
    static let remoteControl = EventKind("remote_control")
    static let videoChanged = EventKind("video_changed")
}
