import HTTPTypes
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The topic WebSocket goes through its transition table, and through nothing else")
struct TopicLinkTests {
    private typealias Input = TransitionWalk<TopicLink>.Input

    private static let request = HTTPRequest(method: .get, scheme: "ws", authority: "assist.test", path: "/")

    private func walk(_ rules: TopicLink.Rules, intervals: Int) -> Set<StateChange> {
        let link = TopicLink(
            rules: rules, intervals: Array(repeating: .seconds(1), count: intervals), limits: [.seconds(5)])
        return TransitionWalk(
            link, state: \.state.rawValue,
            inputs: [
                Input("connectWanted", if: { $0.state == .idle }) {
                    _ = $0.handle(.connectWanted(Self.request, limit: .seconds(30)))
                },
                Input("reconnectWanted") { _ = $0.handle(.reconnectWanted(limit: nil)) },
                Input("pingWanted") { _ = $0.handle(.pingWanted) },
                Input("closeWanted") { _ = $0.handle(.closeWanted) },
                Input("opened") { _ = $0.handle(.opened) }, Input("openFailed") { _ = $0.handle(.openFailed("no")) },
                Input("received") { _ = $0.handle(.received(.text("?"))) },
                Input("lost") { _ = $0.handle(.lost(code: 1006)) },
                Input("the limit") { _ = $0.handle(.timerFired(.connectLimit)) },
                Input("the retry") { _ = $0.handle(.timerFired(.retry)) },
                Input("the ping") { _ = $0.handle(.timerFired(.ping)) },
            ]
        ).changes(steps: 20_000)
    }

    /// What happens whatever the rules are.
    private static let always: Set<StateChange> = [
        StateChange("idle", "connectWanted", "opening"), StateChange("opening", "opened", "open"),
        StateChange("opening", "openFailed", "idle"), StateChange("opening", "the limit", "idle"),
        StateChange("opening", "closeWanted", "idle"), StateChange("open", "closeWanted", "idle"),
    ]

    @Test("with attempts left it waits for the next one", arguments: [TopicLink.Rules.iOS, .web])
    func retries(rules: TopicLink.Rules) {
        let waiting: Set<StateChange> = [
            StateChange("open", "lost", "waiting"), StateChange("open", "the ping", "waiting"),
            StateChange("opening", "openFailed", "waiting"), StateChange("opening", "the limit", "waiting"),
            StateChange("waiting", "the retry", "opening"), StateChange("waiting", "reconnectWanted", "opening"),
            StateChange("waiting", "closeWanted", "idle"),
        ]
        #expect(self.walk(rules, intervals: 3) == Self.always.union(waiting))
    }

    @Test("by the rules of the web only a frame makes the attempts begin anew, by those of iOS an open connection")
    func attempts() {
        func second(_ rules: TopicLink.Rules, hears: Bool) -> [TopicLink.Action] {
            var link = TopicLink(rules: rules, intervals: [1, 2, 4].map { .seconds($0) }, limits: [])
            _ = link.handle(.connectWanted(Self.request, limit: nil))
            _ = link.handle(.opened)
            _ = link.handle(.lost(code: 1006))
            _ = link.handle(.timerFired(.retry))
            _ = link.handle(.opened)
            if hears { _ = link.handle(.received(.binary(TopicFrame(.pong, topic: 0).bytes))) }
            return link.handle(.lost(code: 1006))
        }
        func announced(_ attempt: Int) -> TopicLink.Action {
            .report(.willRetry(after: .seconds(attempt), attempt: attempt, of: 3))
        }
        #expect(second(.web, hears: false).contains(announced(2)))
        #expect(second(.web, hears: true).contains(announced(1)))
        #expect(second(.iOS, hears: false).contains(announced(1)))
    }

    @Test("what still comes once it is closed is nothing, readable or not")
    func afterTheClose() {
        var link = TopicLink(rules: .iOS, intervals: [.seconds(1)], limits: [])
        _ = link.handle(.connectWanted(Self.request, limit: nil))
        _ = link.handle(.opened)
        let message = WebSocketMessage.binary(TopicFrame(.pong, topic: 0).bytes)
        #expect(link.handle(.received(message)) == [.report(.frame(TopicFrame(.pong, topic: 0)))])
        #expect(link.handle(.closeWanted).first == .close)
        #expect(link.handle(.received(message)).isEmpty)
        #expect(link.handle(.received(.text("?"))).isEmpty)
        #expect(link.handle(.lost(code: 1006)).isEmpty)
        #expect(link.state == .idle)
    }

    @Test("without attempts only the script opens it again")
    func noRetries() {
        let lost: Set<StateChange> = [
            StateChange("open", "lost", "lost"), StateChange("open", "the ping", "lost"),
            StateChange("opening", "openFailed", "lost"), StateChange("opening", "the limit", "lost"),
            StateChange("lost", "reconnectWanted", "opening"), StateChange("lost", "closeWanted", "idle"),
        ]
        #expect(self.walk(.iOS, intervals: 0) == Self.always.union(lost))
    }

    @Test("by the rules of the web the last interval is not used")
    func lastInterval() {
        let ended: Set<StateChange> = [
            StateChange("open", "lost", "idle"), StateChange("open", "the ping", "idle"),
        ]
        #expect(self.walk(.web, intervals: 1) == Self.always.union(ended))
    }
}
