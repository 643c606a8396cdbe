import JSON
import Machines

/// What leaves the consumer about its screen: pictures, forms, snapshots; all of it through ``ScreenView``.
extension ConsumerClient {
    /// The screen as all admitted agents together may see it; nil if nobody is admitted.
    ///
    /// Admitted ones count from the moment of admission on, because the server may relay to them from then on.
    var view: ScreenView? {
        let allowed = self.agents.values.filter(\.isAllowed).map(\.permissions)
        return AgentPermissions.together(allowed).map { ScreenView(self.screen, for: $0, self.configuration) }
    }

    /// Sends the whole screen, or a part of it, to those who watch.
    mutating func sendPicture(of part: ScreenElement.Box? = nil, in step: inout Step) {
        guard self.isActive, let topic = self.directory.screen, let view else { return }
        guard !self.isPaused else { return }
        let box = part ?? ScreenElement.Box(x: 0, y: 0, width: self.screen.width, height: self.screen.height)
        let items = part == nil ? view.items : view.items.filter { $0.box.overlaps(box) }
        let content: JSONValue = [
            "x": .integer(Int64(box.x)), "y": .integer(Int64(box.y)), "width": .integer(Int64(box.width)),
            "height": .integer(Int64(box.height)), "elements": .array(items.map(\.json)),
            "full": .bool(part == nil),
        ]
        self.say(
            .rectangleUpdated(
                x: Int16(clamping: box.x), y: Int16(clamping: box.y), width: Int16(clamping: self.screen.width),
                height: Int16(clamping: self.screen.height), format: .png, image: ScreenPicture.encode(content)),
            on: topic.id, in: &step)
    }

    /// Replaces the screen.
    mutating func show(_ screen: Screen, in step: inout Step) {
        let hasNewSize = screen.width != self.screen.width || screen.height != self.screen.height
        self.screen = screen
        if hasNewSize, self.isActive, let topic = self.directory.screen {
            self.say(
                .windowResized(width: Int16(clamping: screen.width), height: Int16(clamping: screen.height)),
                on: topic.id, in: &step)
        }
        self.changed(ScreenElement.Box(x: 0, y: 0, width: screen.width, height: screen.height), in: &step)
        self.formElements = []
        self.updateForm(in: &step)
    }

    /// Notes a change; changes are collected for a moment before they are sent.
    mutating func changed(_ box: ScreenElement.Box, after delay: Duration = changeDelay, in step: inout Step) {
        let isFirst = self.pendingChange == nil
        self.pendingChange = self.pendingChange?.union(box) ?? box
        if isFirst { step.ask(.setTimer(.screen, delay)) }
    }

    /// Sends what has changed since the last picture.
    mutating func sendChange(in step: inout Step) {
        guard let box = self.pendingChange else { return }
        self.pendingChange = nil
        if !self.configuration.keepsAnnotations { self.clearAnnotations(behind: box, in: &step) }
        self.sendPicture(of: box, in: &step)
    }

    private mutating func clearAnnotations(behind box: ScreenElement.Box, in step: inout Step) {
        guard self.annotations.contains(where: { $0.box.overlaps(box) }) else { return }
        let topics = Set(self.annotations.map(\.topic)).sorted()
        for topic in topics { self.say(.annotationsSet(""), on: topic, in: &step) }
        self.annotations = []
        self.emit(.annotationsCleared, "assistSDKDidClearAnnotations(_:)", ["by": "change"], in: &step)
    }

    /// Takes what an agent draws or clears.
    mutating func receivedDrawing(
        _ message: WindowMessage, on topic: UInt16, from source: UInt16, in step: inout Step
    ) {
        guard !self.isPaused else { return }
        let agent = JSONValue.string(self.agents[source]?.name ?? "")
        let text: String
        switch message {
        case .annotationsSet(let paths):
            if !self.annotations.isEmpty || paths.isEmpty {
                self.annotations = []
                self.emit(
                    .annotationsCleared, "assistSDKDidClearAnnotations(_:)", ["by": "agent", "agent": agent], in: &step)
            }
            text = paths
        case .annotationAdded(let path): text = path
        default: return
        }
        for element in text.split(separator: "<").prefix(Self.annotationLimit) {
            guard let annotation = Annotation("<" + element, topic: topic) else { continue }
            guard self.annotations.count < Self.annotationLimit else { return }
            let fields = annotation.fields.merging(["agent": agent])
            self.emit(.annotationAdding, "assistSDKWillAddAnnotation(_:)", fields, in: &step)
            self.annotations.append(annotation)
            self.emit(.annotationAdded, "assistSDKDidAddAnnotation(_:)", fields, in: &step)
        }
    }

    // MARK: Pause

    /// Stops sending the screen, or starts again with a whole picture.
    mutating func setPaused(_ isPaused: Bool, in step: inout Step) {
        guard self.state == .inSession, self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        guard self.isActive, let topic = self.directory.screen else { return }
        self.say(isPaused ? .offAssist : .onAssist, on: topic.id, in: &step)
        if !isPaused {
            self.pendingChange = nil
            self.sendPicture(in: &step)
            self.sendForm(in: &step)
        }
    }

    // MARK: Forms

    /// Opens, renews or closes the input topic as there is something to fill in or not.
    mutating func updateForm(in step: inout Step) {
        guard let screen = self.directory.screen, screen.owner == self.directory.ownID else { return }
        let topic = self.directory.first { $0.type == "input" && $0.owner == self.directory.ownID }
        let fillable = self.view?.fillable ?? []
        guard !fillable.isEmpty else {
            if let topic { self.send(TopicFrame(.closeTopic, topic: topic.id), in: &step) }
            self.formElements = []
            return
        }
        guard topic != nil else {
            return self.send(.openPrivate(parent: 0, metadata: ["type": "input"]), in: &step)
        }
        self.sendForm(in: &step)
    }

    /// Sends the descriptors of what can be filled in to those who have come for it.
    ///
    /// What can be filled in makes a form, and another set of elements another one: answers to an older one are dropped
    /// from then on. The same form sent again, to somebody who has just come, keeps its number, so that what somebody
    /// else is filling in meanwhile is not lost.
    mutating func sendForm(in step: inout Step) {
        guard !self.isPaused, self.isActive, let view,
            let topic = self.directory.first(where: { $0.type == "input" && $0.owner == self.directory.ownID })
        else { return }
        let fillable = view.fillable
        let elements = fillable.map(\.id)
        if self.formElements.isEmpty || self.formElements != elements {
            self.formID += 1
            self.formElements = elements
        }
        guard self.agents.values.contains(where: { $0.isCobrowsing && topic.members.contains($0.id) }) else { return }
        self.say(.inputElements(self.form(of: fillable)), on: topic.id, in: &step)
    }

    private func form(of items: [ScreenView.Item]) -> JSONValue {
        let descriptors = items.enumerated().map { index, item -> JSONValue in
            var fields: JSONObject = [
                "type": .string(item.kind.rawValue), "label": .string(item.label), "index": .integer(Int64(index)),
            ]
            switch item.kind {
            case .checkbox, .radio, .switch: fields["checked"] = .bool(item.value == "true")
            default: fields["value"] = .string(item.value)
            }
            if !item.options.isEmpty {
                fields["options"] = .array(item.options.map { ["value": .string($0), "label": .string($0)] })
            }
            return .object(fields)
        }
        return ["screenId": .integer(self.formID), "descriptors": .array(descriptors)]
    }

    /// Takes what an agent filled in, as far as it may, and shows the result.
    mutating func receivedForm(_ message: WindowMessage, from source: UInt16, in step: inout Step) {
        guard !self.isPaused, case .inputPopulated(let value) = message, value["screenId"]?.integer == self.formID,
            let agent = self.agents[source],
            let topic = self.directory.first(where: { $0.type == "input" && $0.owner == self.directory.ownID })
        else { return }
        let touchable = Set(ScreenView(self.screen, for: agent.permissions, self.configuration).fillable.map(\.id))
        var hasChanged = false
        for descriptor in (value["descriptors"]?.array ?? []).prefix(Screen.elementLimit) {
            guard let index = descriptor["index"]?.integer.flatMap(Int.init(exactly:)),
                self.formElements.indices.contains(index), touchable.contains(self.formElements[index])
            else { continue }
            let id = self.formElements[index]
            let text = descriptor["checked"]?.bool.map { $0 ? "true" : "false" } ?? descriptor["value"]?.string
            guard let text, text.utf8.count <= 10_000 else { continue }
            self.set(id, to: text, by: agent, how: "fill", in: &step)
            hasChanged = true
        }
        guard hasChanged, let view else { return }
        self.say(.inputPopulated(self.form(of: view.fillable)), on: topic.id, in: &step)
    }

    /// Gives an element the value that an agent entered.
    mutating func set(_ id: String, to value: String, by agent: AgentRecord, how: String, in step: inout Step) {
        guard let box = self.screen.update(id, { $0.value = value }) else { return }
        self.emit(
            .remoteInput, "",
            [
                "type": .string(how), "element": .string(id), "value": .string(value), "agent": .string(agent.name),
            ], in: &step)
        self.changed(box, in: &step)
    }

    // MARK: Snapshots

    /// Sends a picture of the device's screen, as when a user shares a screenshot.
    ///
    /// The topic is said to be public; here it is private, so that nobody gets a snapshot who is not admitted.
    mutating func takeSnapshot(in step: inout Step) {
        self.hasSnapshot = true
        if self.directory.first(where: { $0.type == "snapshot" && $0.owner == self.directory.ownID }) != nil {
            self.sendSnapshot(in: &step)
        } else {
            self.send(.openPrivate(parent: 0, metadata: ["type": "snapshot"]), in: &step)
        }
    }

    /// Sends the waiting snapshot when all who watch have come for it.
    mutating func sendSnapshot(in step: inout Step) {
        guard self.hasSnapshot, self.isActive, !self.isPaused, let items = self.view?.items,
            let topic = self.directory.first(where: { $0.type == "snapshot" && $0.owner == self.directory.ownID }),
            self.agents.values.allSatisfy({ !$0.isCobrowsing || topic.members.contains($0.id) })
        else { return }
        self.hasSnapshot = false
        let image = ScreenPicture.encode(["elements": .array(items.map(\.json)), "snapshot": true])
        self.say(.snapshotStart, on: topic.id, in: &step)
        var rest = image[...]
        while !rest.isEmpty {
            self.say(.snapshotChunk(Array(rest.prefix(WindowMessage.chunkLimit))), on: topic.id, in: &step)
            rest = rest.dropFirst(WindowMessage.chunkLimit)
        }
        self.say(.snapshotEnd, on: topic.id, in: &step)
    }
}
