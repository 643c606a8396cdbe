import JSON
import Machines

extension EventLog {
    /// Returns the event before another one that says the same, if there is one.
    func original(of event: LoggedEvent) -> LoggedEvent? {
        let said = Self.said(event.event)
        guard !said.isEmpty else { return nil }
        return self.events.last {
            $0.number < event.number && $0.event.kind == event.event.kind && Self.said($0.event) == said
        }
    }

    /// The fields of an event without those in which repetitions may differ.
    private static func said(_ event: ChatEvent) -> JSONObject {
        JSONObject(event.fields.filter { !["time", "number", "at", "request"].contains($0.0) })
    }
}
