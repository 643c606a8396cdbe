import JSON
import Machines

/// The consumer's screen, and its changes on their way to those who watch; all of it through ``RedactedScreen``.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | sent | `shown`, `elementChanged`, `entered`, `scrolled` | changed | sets the timer; the events and forms that go with it |
/// | changed | `shown`, `elementChanged`, `entered`, `scrolled` | changed | the same without the timer |
/// | changed | `changeDue` | sent | sends the part of the picture that changed, or a whole one |
/// | changed | `changeForgotten` | sent | |
/// | any | `pictureAsked` | unchanged | sends a picture, while somebody watches and nothing is paused |
/// | any | `elementChanged`, no such element | unchanged | refused |
struct ScreenPart: Sendable {
    /// What happens to the screen.
    enum Input: Sendable {
        /// Another screen is there.
        case shown(Screen)
        /// The application changes an element; an empty permission takes it away.
        case elementChanged(String, value: String?, permission: String?)
        /// An agent has entered something.
        case entered(String, value: String, by: String, how: String)
        /// A part has changed for another reason.
        case changed(ScreenElement.Box, after: Duration)
        case changeDue
        case changeForgotten
        case pictureAsked(of: ScreenElement.Box?)
    }

    /// How long changes of the screen are collected (vendor's web SDK).
    static let changeDelay = Duration.milliseconds(500)
    /// The same after a scroll.
    static let scrollDelay = Duration.milliseconds(750)

    /// What those who watch have not seen yet.
    private struct Change: Hashable, Sendable {
        var box: ScreenElement.Box
        /// Whether elements have come, gone or been covered, so that only a whole picture is true.
        var isWhole: Bool
    }

    private(set) var screen: Screen
    private var pending: Change?

    /// Creates a part that shows a screen.
    init(_ screen: Screen) { self.screen = screen }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .shown(let screen): return self.show(screen, context)
        case .elementChanged(let id, let value, let permission):
            let changed = self.screen.update(id) { element in
                if let permission {
                    element.permission = permission.isEmpty ? nil : permission.lowercased()
                }
            }
            guard let box = value.flatMap({ self.screen.setValue(of: id, to: $0) }) ?? changed else {
                let reason = "the screen has no element \"\(id)\"; show a screen that has it"
                return [.answer(.refused(reason))]
            }
            // What a permission covers takes its children along, wherever they are.
            return self.note(box, isWhole: permission != nil, after: Self.changeDelay)
                + (permission == nil ? [] : [.updateForm])
        case .entered(let id, let value, let agent, let how):
            guard let box = self.screen.setValue(of: id, to: value) else { return [] }
            let fields: JSONObject = [
                "type": .string(how), "element": .string(id), "value": .string(value),
                "agent": .string(agent),
            ]
            return [.emit(.remoteInput, "", fields)] + self.note(box, after: Self.changeDelay)
        case .changed(let box, let delay): return self.note(box, after: delay)
        case .changeDue:
            guard let change = self.pending else { return [] }
            self.pending = nil
            return (context.configuration.keepsAnnotations ? [] : [.clearAnnotations(behind: change.box)])
                + [.sendPicture(of: change.isWhole ? nil : change.box)]
        case .changeForgotten:
            self.pending = nil
            return []
        case .pictureAsked(let part): return self.picture(of: part, context)
        }
    }

    private mutating func show(_ screen: Screen, _ context: CobrowseContext) -> [ConsumerAction] {
        let hasNewSize = screen.width != self.screen.width || screen.height != self.screen.height
        self.screen = screen
        var actions: [ConsumerAction] = []
        if hasNewSize, context.isActive, let topic = context.directory.screen {
            actions.append(.say(screen.sizeMessage, on: topic.id))
        }
        return actions + self.note(screen.box, isWhole: true, after: Self.changeDelay) + [.forgetForm, .updateForm]
    }

    /// Notes a change; changes are collected for a moment before they are sent.
    private mutating func note(
        _ box: ScreenElement.Box, isWhole: Bool = false, after delay: Duration
    ) -> [ConsumerAction] {
        guard let before = self.pending else {
            self.pending = Change(box: box, isWhole: isWhole)
            return [.setTimer(.screen, delay)]
        }
        self.pending = Change(box: before.box.union(box), isWhole: before.isWhole || isWhole)
        return []
    }

    private func picture(of part: ScreenElement.Box?, _ context: CobrowseContext) -> [ConsumerAction] {
        guard context.isActive, !context.isPaused, let topic = context.directory.screen,
            let view = context.view
        else { return [] }
        let box = part ?? self.screen.box
        let items = part == nil ? view.items : view.items.filter { $0.box.overlaps(box) }
        let content: JSONValue = [
            "x": .integer(Int64(box.x)), "y": .integer(Int64(box.y)), "width": .integer(Int64(box.width)),
            "height": .integer(Int64(box.height)), "elements": .array(items.map(\.json)),
            "full": .bool(part == nil),
        ]
        let message = WindowMessage.rectangleUpdated(
            x: Int16(clamping: box.x), y: Int16(clamping: box.y),
            width: Int16(clamping: self.screen.width),
            height: Int16(clamping: self.screen.height), format: .png,
            image: ScreenPicture.encode(content))
        return [.say(message, on: topic.id)]
    }
}
