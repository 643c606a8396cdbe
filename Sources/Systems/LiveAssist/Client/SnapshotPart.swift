import JSON
import Machines

/// A picture of the device's screen, as when a user shares a screenshot.
///
/// The topic is private, so that nobody gets a snapshot who is not admitted; defined here.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `taken`, no topic yet | waiting | opens the topic |
/// | any | `taken`, all who watch have come | idle | sends it |
/// | waiting | `sendAsked`, all who watch have come, not paused | idle | sends it |
/// | waiting | `sendAsked` otherwise | waiting | |
/// | waiting | `sessionBegan` | idle | |
struct SnapshotPart: Sendable {
    /// What happens to the snapshot.
    enum Input: Sendable {
        case taken, sendAsked, sessionBegan
    }

    /// Whether a snapshot waits for its receivers.
    private(set) var isWaiting = false

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .taken:
            self.isWaiting = true
            guard context.ownTopic("snapshot") != nil else {
                return [.send(.openPrivate(parent: 0, metadata: ["type": "snapshot"]))]
            }
            return self.send(context)
        case .sendAsked: return self.send(context)
        case .sessionBegan:
            self.isWaiting = false
            return []
        }
    }

    /// Sends the waiting snapshot when all who watch have come for it.
    private mutating func send(_ context: CobrowseContext) -> [ConsumerAction] {
        guard self.isWaiting, context.isActive, !context.isPaused, let items = context.view?.items,
            let topic = context.ownTopic("snapshot"), context.watchersAreIn(topic)
        else { return [] }
        self.isWaiting = false
        let image = ScreenPicture.encode(["elements": .array(items.map(\.json)), "snapshot": true])
        var messages = [WindowMessage.snapshotStart]
        var rest = image[...]
        while !rest.isEmpty {
            messages.append(.snapshotChunk(Array(rest.prefix(WindowMessage.chunkLimit))))
            rest = rest.dropFirst(WindowMessage.chunkLimit)
        }
        return (messages + [.snapshotEnd]).map { ConsumerAction.say($0, on: topic.id) }
    }
}
