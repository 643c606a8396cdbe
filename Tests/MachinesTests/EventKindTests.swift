import Machines
import Testing

@Suite("Kinds of events")
struct EventKindTests {
    @Test("a kind is its name, however it is made")
    func names() {
        let declared = EventKind.attachmentUploaded
        let made = EventKind(["attachment", "uploaded"].joined(separator: "_"))
        #expect(declared == made)
        #expect(!(declared != made))
        #expect(declared.hashValue == made.hashValue)
        #expect(Set([declared, made]).count == 1)
        #expect(made.rawValue == "attachment_uploaded")
    }

    @Test("kinds with different names differ, in every order of comparison")
    func differences() {
        let kinds: [EventKind] = [.message, .messageSent, .typing, EventKind("massage"), EventKind("")]
        for (place, left) in kinds.enumerated() {
            for (other, right) in kinds.enumerated() {
                #expect((left == right) == (place == other))
                #expect((left != right) == (place != other))
            }
        }
    }

    @Test("a system can declare a kind that the core does not know")
    func openness() {
        let events: [EventKind: Int] = [.message: 1, .smokeSignal: 2]
        #expect(events[EventKind("smoke_signal")] == 2)
        switch EventKind("smoke_signal") {
        case .smokeSignal: break
        default: Issue.record("a kind made from its name is not the declared one")
        }
    }
}

extension EventKind {
    fileprivate static let smokeSignal = EventKind("smoke_signal")
}
