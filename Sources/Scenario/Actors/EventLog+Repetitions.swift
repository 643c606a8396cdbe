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

    /// Returns the event before another one that says the same under another id, if there is one: a server that takes a
    /// message twice gives it two.
    func originalUnderOtherID(of event: LoggedEvent) -> LoggedEvent? {
        guard event.event.fields["id"] != nil else { return nil }
        let said = Self.said(event.event, without: "id")
        guard !said.isEmpty else { return nil }
        return self.events.last {
            $0.number < event.number && $0.event.kind == event.event.kind && $0.event.fields["id"] != nil
                && Self.said($0.event, without: "id") == said
        }
    }

    /// The fields of an event without those in which repetitions may differ.
    private static func said(_ event: ChatEvent, without other: String? = nil) -> JSONObject {
        JSONObject(event.fields.filter { !["time", "number", "at", "request", other].contains($0.0) })
    }
}
