import JSON
import Machines

/// How an agent watches the consumer's screen: what it asks for, what it sees, draws, and pushes.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | away, asking | `asked` | asking | asks for the permission of the screen's topic, or the consumer for a screen |
/// | watching | `asked` | watching | |
/// | away, asking | `permitted`, the screen is allowed | watching | joins the screen; opens what is drawn on |
/// | watching | `permitted`, the screen is allowed | watching | joins the screen |
/// | asking | `permitted`, the screen is denied | away | `cobrowse_rejected` |
/// | asking | `rejected` | away | `cobrowse_rejected` |
/// | watching | `permitted`, the screen is denied | away | shows nothing any more |
/// | watching | `stopped`, `closed` of the screen, `leave_cobrowse` | away | shows nothing any more |
/// | any | `heard` that the screen is shown, or is not | the same | `cobrowse_active` |
/// | any | what else is `heard` | the same | its event |
/// | any | `opened`, `closed` of a document or a form | the same | its event |
///
/// Whether the consumer shows anything is told apart from whether the agent may see it. What is seen goes through
/// ``AgentScreen``, what is drawn through ``DrawingPart``, and what is pushed through ``PushedDocuments``.
struct WatchingPart: Sendable {
    /// Whether the agent may see the screen.
    enum State: String, CaseIterable, Hashable, Sendable {
        case away, asking, watching
    }

    /// What happens to what an agent watches.
    enum Input: Sendable {
        /// The script asks for co-browsing.
        case asked
        /// The server has changed what the agent may do in a topic.
        case permitted(TopicPermission, in: Topic)
        /// The consumer does not share its screen.
        case rejected
        /// The lists of a topic have come.
        case listed(UInt16)
        /// Somebody has come into a topic.
        case joined
        case opened(Topic)
        case closed(Topic)
        /// The consumer says something in a topic.
        case heard(WindowMessage, on: Topic)
        /// Another agent says something.
        case overheard([UInt8])
        /// The outcome of a pushed document has not come in time.
        case timedOut(Int16)
        case supportBegan, supportEnded
        /// The connection is lost, or the agent leaves the session.
        case stopped
        /// What was pushed belongs to another session.
        case forgotten
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        case send(TopicFrame)
        case emit(EventKind, callback: String, JSONObject, raw: JSONValue?)
        case fail(String)
        case setTimer(AssistTimer, Duration)
        case cancelTimer(AssistTimer)
    }

    /// What a command comes to.
    typealias Answer = (actions: [Action], outcome: CommandOutcome)

    private(set) var state = State.away
    /// Whether the consumer shows something.
    private(set) var isActive = false
    private(set) var screen = AgentScreen()
    private var drawing = DrawingPart()
    private var documents = PushedDocuments()

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ directory: TopicDirectory) -> [Action] {
        switch input {
        case .asked:
            // To ask is to give the permission back: who watches would send itself away.
            guard self.state != .watching else { return [] }
            self.state = .asking
            guard let screen = directory.screen else {
                return [Self.tell(["type": "requestScreenShare"], directory)]
            }
            let own = directory.ownID
            return [.send(.permission(topic: screen.id, target: own, .requested, participant: own))]
        case .permitted(let permission, let topic): return self.permitted(permission, in: topic, directory)
        case .rejected: return self.rejected()
        case .listed(let topic):
            return self.state == .watching && topic == directory.screen?.id ? self.draw(.admitted, directory) : []
        case .joined: return self.draw(.joined, directory)
        case .opened(let topic): return self.opened(topic, directory)
        case .closed(let topic): return self.closed(topic, directory)
        case .heard(let message, let topic): return self.heard(message, on: topic, directory)
        case .overheard(let bytes): self.documents.overheard(bytes)
        case .timedOut(let id): return self.done(self.documents.timedOut(id), directory)
        case .supportBegan: self.screen.supportBegan()
        case .supportEnded: self.screen.supportEnded()
        case .stopped: return self.stop(directory)
        case .forgotten: return self.done(self.documents.forgetAll(), directory)
        }
        return []
    }

    private mutating func permitted(
        _ permission: TopicPermission, in topic: Topic, _ directory: TopicDirectory
    ) -> [Action] {
        switch (topic.isScreen, permission) {
        case (true, .allowed):
            let isNew = self.state != .watching
            self.state = .watching
            return [Self.join(topic.id, directory)] + (isNew ? self.draw(.admitted, directory) : [])
        case (true, .denied): return self.rejected() + self.stop(directory)
        case (false, .allowed): return [Self.join(topic.id, directory)]
        default: return []
        }
    }

    private mutating func rejected() -> [Action] {
        guard self.state == .asking else { return [] }
        self.state = .away
        return [Self.told(.cobrowseRejected, "screenShareRejected")]
    }

    /// What an agent no longer may see it no longer shows.
    private mutating func stop(_ directory: TopicDirectory) -> [Action] {
        if self.state == .watching { self.state = .away }
        self.screen.blank()
        return self.draw(.withdrawn, directory) + self.setActive(false)
    }

    private mutating func setActive(_ isActive: Bool) -> [Action] {
        guard self.isActive != isActive else { return [] }
        self.isActive = isActive
        return [Self.told(.cobrowseActive, "screenShareActive", ["active": .bool(isActive)])]
    }

    // MARK: Topics

    private mutating func opened(_ topic: Topic, _ directory: TopicDirectory) -> [Action] {
        guard topic.owner != directory.ownID else { return self.draw(.opened(topic), directory) }
        guard !topic.isPrivate else { return [] }
        // Public ones are open to all who see them: documents, windows, snapshots, drawings of others.
        self.documents.sawWindow(of: topic)
        let join = Self.join(topic.id, directory)
        guard topic.isOwnDocument else { return [join] }
        return [join, Self.told(.documentOpened, "", topic.documentFields, raw: topic.metadata)]
    }

    private mutating func closed(_ topic: Topic, _ directory: TopicDirectory) -> [Action] {
        var actions = topic.isScreen ? self.stop(directory) : []
        if topic.type == "input", self.screen.formClosed() {
            actions.append(Self.told(.form, "form", ["fields": []]))
        }
        if topic.isOwnDocument {
            actions.append(Self.told(.documentClosed, "", topic.documentFields, raw: topic.metadata))
        }
        return actions
    }

    private mutating func heard(
        _ message: WindowMessage, on topic: Topic, _ directory: TopicDirectory
    ) -> [Action] {
        switch message {
        case .offAssist where topic.isScreen: return self.setActive(false)
        case .onAssist where topic.isScreen: return self.setActive(true)
        case .mouseMove(let x, let y) where topic.isScreen:
            return [
                Self.told(
                    .remoteInput, "", ["type": "mouse_move", "x": .integer(Int64(x)), "y": .integer(Int64(y))])
            ]
        case .annotationsSet(let paths) where topic.type == "annotation" && paths.isEmpty:
            return [Self.told(.annotationsCleared, "")]
        case .annotationAdded, .annotationsSet, .cursorPing: return []
        case .inputClicked(let x, let y, let value) where topic.type == "input":
            var fields: JSONObject = ["type": "click", "x": .integer(Int64(x)), "y": .integer(Int64(y))]
            fields["label"] = value["clicked"]?["label"]?.string.map { .string($0) }
            return [Self.told(.remoteInput, "", fields, raw: value)]
        default:
            let news = self.screen.received(message, on: topic)
            let outcome = self.documents.received(
                topic.told(message), hasScreen: directory.screen != nil, isAlone: !directory.hasMetAgents)
            return (news.map { [Self.told($0.kind, $0.callback, $0.fields, raw: $0.raw)] } ?? [])
                + self.done(outcome, directory)
        }
    }

    // MARK: Actions

    private static func told(
        _ kind: EventKind, _ callback: String, _ fields: JSONObject = [:], raw: JSONValue? = nil
    ) -> Action {
        .emit(kind, callback: callback, fields, raw: raw)
    }

    private static func join(_ topic: UInt16, _ directory: TopicDirectory) -> Action {
        .send(TopicFrame(.joinTopic, topic: topic, participant: directory.ownID))
    }

    private static func say(_ message: WindowMessage, on topic: UInt16, _ directory: TopicDirectory) -> Action {
        .send(TopicFrame(.sendMessage, topic: topic, participant: directory.ownID, payload: message.bytes))
    }

    private static func tell(_ message: JSONValue, _ directory: TopicDirectory) -> Action {
        .send(TopicFrame(.sendMessage, topic: 0, participant: directory.ownID, json: message))
    }

    /// Does what becomes of drawings.
    private mutating func draw(_ input: DrawingPart.Input, _ directory: TopicDirectory) -> [Action] {
        self.drawing.handle(input, directory).compactMap { action in
            switch action {
            case .open(let surface):
                directory.screen.map {
                    .send(TopicFrame(.openTopic, topic: $0.id, json: ["type": .string(surface.rawValue)]))
                }
            case .join(let topic): Self.join(topic, directory)
            case .say(let message, let topic): Self.say(message, on: topic, directory)
            }
        }
    }

    /// Does what becomes of pushed documents.
    private func done(_ actions: [PushedDocuments.Action], _ directory: TopicDirectory) -> [Action] {
        actions.compactMap { action in
            switch action {
            case .say(let message): directory.screen.map { Self.say(message, on: $0.id, directory) }
            case .setTimer(let timer, let delay): .setTimer(timer, delay)
            case .cancelTimer(let timer): .cancelTimer(timer)
            case .report(let outcome, let fields): Self.told(.documentResult, outcome, fields)
            case .complain(let complaint): .fail("the consumer sent \(complaint.text)")
            }
        }
    }
}

// MARK: - Commands

extension WatchingPart {
    /// Does what a script asks of an agent who watches.
    ///
    /// - Parameters:
    ///   - command: What is asked.
    ///   - name: The name of the method, for what is said if it cannot be done.
    ///   - directory: Who and what is in the session.
    mutating func perform(_ command: WatchingCommand, by name: String, _ directory: TopicDirectory) -> Answer {
        guard self.state == .watching, let screen = directory.screen else {
            return ([], .refused("\(name) needs co-browsing; request it and expect \"cobrowse_active\" first"))
        }
        if !self.isActive, command.needsScreen {
            return (
                [],
                .refused("the consumer shows nothing now, so \(name) is lost; expect \"cobrowse_active\" first")
            )
        }
        do throws(CommandError) { return try self.perform(command, by: name, on: screen, directory) } catch {
            return ([], .refused(error.message))
        }
    }

    private mutating func perform(
        _ command: WatchingCommand, by name: String, on screen: Topic, _ directory: TopicDirectory
    ) throws(CommandError) -> Answer {
        switch command {
        case .leaveCobrowse:
            let leave = TopicFrame(.leaveTopic, topic: screen.id, participant: directory.ownID)
            return (self.stop(directory) + [.send(leave)], .done(.null))
        case .zoom(let isOn):
            let event = Self.told(.zoom, isOn ? "zoomStarted" : "zoomEnded", ["active": .bool(isOn)])
            return ([Self.tell(["type": isOn ? "startZoom" : "endZoom"], directory), event], .done(.null))
        case .fillForm(let values): return self.fill(values, directory)
        case .pushDocument(let document): return try self.push(document, directory)
        case .closeDocument(let id, let document):
            // A number is that of a document of its own first; without one the last is meant, its own before another.
            let isOther = document != nil || !self.documents.has(id)
            if isOther, let window = directory.ownDocument(document ?? id) {
                return ([Self.say(.windowClosed(.agent), on: window.id, directory)], .done(.null))
            }
            guard document == nil else {
                return ([], .refused("the consumer shares no document \(document ?? 0)"))
            }
            return (self.done(try self.documents.close(id), directory), .done(.null))
        case .draw(let path, let color, let width, let opacity):
            let element = try Annotation.element(path: path, stroke: color, width: width, opacity: opacity)
            return try self.say(.annotationAdded(element), on: .annotation, directory)
        case .clearAnnotations: return try self.say(.annotationsSet(""), on: .annotation, directory)
        case .scroll(let direction):
            return ([Self.say(.scroll(direction ?? .down), on: screen.id, directory)], .done(.null))
        case .touch(let touch, let place):
            let (x, y) = try self.screen.pixels(of: place, for: touch, by: name)
            if case .point = touch { return try self.say(.cursorPing(x: x, y: y), on: .spotlight, directory) }
            return (touch.messages(x: x, y: y).map { Self.say($0, on: screen.id, directory) }, .done(.null))
        }
    }

    private mutating func say(
        _ message: WindowMessage, on surface: DrawingPart.Surface, _ directory: TopicDirectory
    ) throws(CommandError) -> Answer {
        guard !self.drawing.isFull else {
            throw CommandError("too much is drawn that the consumer has not come for; wait until it has")
        }
        return (self.draw(.said(message, on: surface), directory), .done(.null))
    }

    private func fill(_ values: JSONObject, _ directory: TopicDirectory) -> Answer {
        guard let topic = directory.first(where: { $0.type == "input" }) else {
            return ([], .notOffered("there is no form; expect \"form\" first"))
        }
        do throws(AgentScreen.FormMismatch) {
            return ([Self.say(try self.screen.filled(with: values), on: topic.id, directory)], .done(.null))
        } catch {
            return ([], .notOffered(error.text))
        }
    }

    private mutating func push(
        _ document: DocumentArguments, _ directory: TopicDirectory
    ) throws(CommandError) -> Answer {
        // While the consumer shows nothing the vendor's console refuses by itself.
        guard self.isActive else {
            throw CommandError("the consumer has paused; expect \"cobrowse_active\" first")
        }
        let pushed = try self.documents.push(document)
        return (self.done(pushed.actions, directory), .done(.integer(Int64(pushed.id))))
    }
}
