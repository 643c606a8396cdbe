import JSON
import Machines

/// What reaches an agent on the topic WebSocket.
extension AgentClient {
    /// Takes a frame from the server.
    mutating func take(_ frame: TopicFrame, in step: inout Step) {
        if frame.kind == .closeTopic, frame.topic == 0 { return self.sessionClosed(in: &step) }
        for news in self.directory.take(frame) { self.take(news, in: &step) }
    }

    private mutating func sessionClosed(in step: inout Step) {
        self.stopWatching(in: &step)
        self.closeLink(in: &step)
        self.state = .ended
        self.emit(.terminated, "connectionLost", ["code": 0, "reason": "the server closed the session"], in: &step)
    }

    private mutating func take(_ news: TopicNews, in step: inout Step) {
        switch news {
        case .listed: break
        case .joined(topic: 0, let participant):
            if participant.role == "consumer" {
                self.emit(.consumerJoined, "consumerJoined", ["name": .string(participant.name)], in: &step)
            }
        case .left(topic: 0, let participant):
            if participant.role == "consumer" {
                self.emit(.consumerLeft, "consumerLeft", ["name": .string(participant.name)], in: &step)
            }
        case .joined, .left: break
        case .opened(let topic): self.topicOpened(topic, in: &step)
        case .closed(let topic): self.topicClosed(topic, in: &step)
        case .permission(let topic, let source, let target, let permission):
            guard target == self.directory.ownID, source != target else { return }
            self.permissionChanged(permission, on: topic, in: &step)
        case .message(let topic, let source, let bytes): self.received(bytes, on: topic, from: source, in: &step)
        }
    }

    private mutating func topicOpened(_ topic: Topic, in step: inout Step) {
        guard topic.owner != self.directory.ownID, !topic.isPrivate else { return }
        // Public ones are open to all who see them: documents, windows, snapshots, drawings of others.
        self.join(topic.id, in: &step)
    }

    private mutating func join(_ topic: UInt16, in step: inout Step) {
        self.directory.setJoined(topic, true)
        self.send(TopicFrame(.joinTopic, topic: topic, participant: self.directory.ownID), in: &step)
    }

    private mutating func topicClosed(_ topic: Topic, in step: inout Step) {
        if topic.isScreen { self.stopWatching(in: &step) }
        if topic.type == "input", self.form != nil {
            self.form = nil
            self.emit(.form, "form", ["fields": []], in: &step)
        }
    }

    private mutating func permissionChanged(
        _ permission: TopicPermission, on id: UInt16, in step: inout Step
    ) {
        guard let topic = self.directory.topics[id] else { return }
        switch (topic.isScreen, permission) {
        case (true, .allowed):
            self.hasRequested = false
            self.join(id, in: &step)
            guard !self.isWatching else { return }
            self.isWatching = true
            for type in ["annotation", "spotlight"]
            where self.directory.first(where: { $0.type == type && $0.owner == self.directory.ownID }) == nil {
                self.send(TopicFrame(.openTopic, topic: id, json: ["type": .string(type)]), in: &step)
            }
        case (true, .denied):
            if self.hasRequested {
                self.hasRequested = false
                self.emit(.cobrowseRejected, "screenShareRejected", in: &step)
            }
            self.stopWatching(in: &step)
        case (false, .allowed): self.join(id, in: &step)
        default: break
        }
    }

    /// What an agent no longer may see it no longer shows.
    mutating func stopWatching(in step: inout Step) {
        self.isWatching = false
        self.shown = []
        self.form = nil
        self.isZooming = false
        if self.isActive {
            self.isActive = false
            self.emit(.cobrowseActive, "screenShareActive", ["active": false], in: &step)
        }
    }

    // MARK: Messages

    private mutating func received(
        _ bytes: [UInt8], on id: UInt16, from source: UInt16, in step: inout Step
    ) {
        // Other agents hear each other too; only the consumer speaks for its screen.
        guard self.directory.participants[source]?.role == "consumer" else { return }
        guard id != 0 else {
            if (try? JSONReader.read(bytes, depth: 16))?["type"]?.string == "consumerEndedSupport" {
                self.emit(.ended, "consumerEndedSupport", in: &step)
            }
            return
        }
        guard let topic = self.directory.topics[id], let message = WindowMessage(bytes) else { return }
        switch message {
        case .windowResized(let width, let height) where topic.isScreen:
            self.width = Int64(width)
            self.height = Int64(height)
        case .rectangleUpdated(_, _, let width, let height, _, let image) where topic.isScreen:
            self.receivedPicture(image, width: width, height: height, in: &step)
        case .offAssist where topic.isScreen: self.setActive(false, in: &step)
        case .onAssist where topic.isScreen: self.setActive(true, in: &step)
        case .mouseMove(let x, let y) where topic.isScreen:
            self.emit(
                .remoteInput, "", ["type": "mouse_move", "x": .integer(Int64(x)), "y": .integer(Int64(y))], in: &step)
        case .annotationsSet(let paths) where topic.type == "annotation" && paths.isEmpty:
            self.emit(.annotationsCleared, "", in: &step)
        case .annotationAdded, .annotationsSet, .cursorPing: break
        case .snapshotStart where topic.type == "snapshot": self.snapshot = []
        case .snapshotChunk(let part) where topic.type == "snapshot":
            if let count = self.snapshot?.count, count + part.count <= TopicFrame.limit { self.snapshot? += part }
        case .snapshotEnd where topic.type == "snapshot": self.receivedSnapshot(in: &step)
        case .inputElements(let value) where topic.type == "input":
            self.receivedForm(value, populated: false, in: &step)
        case .inputPopulated(let value) where topic.type == "input":
            self.receivedForm(value, populated: true, in: &step)
        case .inputClicked(let x, let y, let value) where topic.type == "input":
            self.emit(
                .remoteInput, "",
                [
                    "type": "click", "x": .integer(Int64(x)), "y": .integer(Int64(y)),
                    "label": value["clicked"]?["label"] ?? .null,
                ], raw: value, in: &step)
        default: self.receivedDocumentAnswer(message, in: &step)
        }
    }

    private mutating func setActive(_ isActive: Bool, in step: inout Step) {
        guard self.isActive != isActive else { return }
        self.isActive = isActive
        self.emit(.cobrowseActive, "screenShareActive", ["active": .bool(isActive)], in: &step)
    }

    private mutating func receivedPicture(
        _ image: [UInt8], width: Int16, height: Int16, in step: inout Step
    ) {
        self.frames += 1
        var fields: JSONObject = [
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "size": .integer(Int64(image.count)),
        ]
        if let content = ScreenPicture.decode(image) {
            let elements = content["elements"]?.array ?? []
            let isFull = content["full"]?.bool ?? true
            if isFull { self.shown = elements } else { self.merge(elements) }
            fields["full"] = .bool(isFull)
            fields["elements"] = .array(elements)
        }
        self.emit(.screen, "", fields, in: &step)
    }

    /// Puts the elements of a partial picture over those shown at the same place.
    private mutating func merge(_ elements: [JSONValue]) {
        func place(_ element: JSONValue) -> JSONValue {
            [element["x"] ?? 0, element["y"] ?? 0, element["width"] ?? 0, element["height"] ?? 0]
        }
        let places = Set(elements.map(place))
        self.shown.removeAll { places.contains(place($0)) }
        self.shown += elements
        if self.shown.count > 2 * Screen.elementLimit { self.shown.removeFirst(self.shown.count - Screen.elementLimit) }
    }

    private mutating func receivedSnapshot(in step: inout Step) {
        guard let image = self.snapshot else { return }
        self.snapshot = nil
        var fields: JSONObject = ["size": .integer(Int64(image.count))]
        fields["elements"] = ScreenPicture.decode(image)?["elements"]
        self.emit(.snapshot, "snapshot", fields, in: &step)
    }

    private mutating func receivedForm(_ value: JSONValue, populated: Bool, in step: inout Step) {
        // The form comes again whenever somebody joins; that is no news to those who have it.
        guard self.form != value else { return }
        self.form = value
        self.emit(
            .form, "form",
            [
                "screen_id": value["screenId"] ?? .null, "fields": value["descriptors"] ?? [],
                "populated": .bool(populated),
            ], raw: value, in: &step)
    }

    // MARK: Documents

    private mutating func receivedDocumentAnswer(_ message: WindowMessage, in step: inout Step) {
        switch message {
        case .documentAccepted(let id): self.sendContent(id, in: &step)
        case .documentRejected(let id): self.result(id, "rejected", in: &step)
        case .documentSucceeded(let id): self.result(id, "succeeded", in: &step)
        case .documentFailed(let id, let error, let http, let details):
            self.result(
                id, "failed",
                [
                    "code": .integer(Int64(error)), "error": .string(DocumentError(rawValue: error)?.word ?? "unknown"),
                    "http": .integer(Int64(http)), "details": .string(details),
                ], in: &step)
        case .documentClosed(let id, let initiator):
            guard self.documents.contains(where: { $0.id == id }) else { return }
            self.documents.removeAll { $0.id == id }
            self.emit(
                .documentResult, "closed",
                ["id": .integer(Int64(id)), "outcome": "closed", "by": .string(initiator.word)], in: &step)
        default: break
        }
    }

    private mutating func result(
        _ id: Int16, _ outcome: String, _ extra: JSONObject = [:], in step: inout Step
    ) {
        guard let index = self.documents.firstIndex(where: { $0.id == id && !$0.isDone }) else { return }
        step.ask(.cancelTimer(.document(id)))
        // One that is shown stays known, so that it can be closed.
        if outcome == "succeeded" { self.documents[index].isDone = true } else { self.documents.remove(at: index) }
        let fields: JSONObject = ["id": .integer(Int64(id)), "outcome": .string(outcome)]
        self.emit(.documentResult, outcome, fields.merging(extra), in: &step)
    }

    private mutating func sendContent(_ id: Int16, in step: inout Step) {
        guard let screen = self.directory.screen, let index = self.documents.firstIndex(where: { $0.id == id }),
            let content = self.documents[index].content
        else { return }
        self.documents[index].content = nil
        var rest = content[...]
        while !rest.isEmpty {
            self.say(
                .contentChunk(id: id, bytes: Array(rest.prefix(WindowMessage.chunkLimit))), on: screen.id, in: &step)
            rest = rest.dropFirst(WindowMessage.chunkLimit)
        }
        if !self.documents[index].metadata.isEmpty {
            self.say(.contentMetadata(id: id, text: self.documents[index].metadata), on: screen.id, in: &step)
        }
        self.say(.contentEnd(id: id), on: screen.id, in: &step)
    }

    /// Gives up waiting for the outcome of a document.
    mutating func documentTimedOut(_ id: Int16, in step: inout Step) {
        self.result(
            id, "failed",
            ["code": 0, "error": "timeout", "http": 0, "details": "no outcome within 5 minutes"], in: &step)
    }
}
