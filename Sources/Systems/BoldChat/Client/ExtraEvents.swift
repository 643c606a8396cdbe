import ChatCore
import JSON

/// Server events beyond the chat itself: co-browse, remote control, video, operator's end for the browser window.
enum ExtraEvents {
    /// Returns what the script is told about an event; nothing for one that no client reacts to.
    static func receive(_ call: OSSCall) -> [ChatEvent] {
        []
    }
}
