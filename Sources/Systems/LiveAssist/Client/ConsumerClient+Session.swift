import JSON
import Machines

/// The session on the topic WebSocket: agents who come and go, and who of them may see the screen.
extension ConsumerClient {
    /// The topic of the screen, which only those see whom the consumer admits.
    mutating func openScreenTopic(in step: inout Step) {
        let metadata: JSONValue = ["type": "shared-window", "interactive": "true", "scrollable": "true"]
        self.send(.openPrivate(parent: 0, metadata: metadata), in: &step)
    }

    /// Takes a frame from the server.
    mutating func take(_ frame: TopicFrame, in step: inout Step) {
        if frame.kind == .closeTopic, frame.topic == 0 {
            self.closeLink(in: &step)
            return self.terminated(.assistTransportFailure, "the server closed the session", in: &step)
        }
        for news in self.directory.take(frame) { self.take(news, in: &step) }
    }

    private mutating func take(_ news: TopicNews, in step: inout Step) {
        switch news {
        case .listed(let topic): if topic == 0 { self.renewAfterReconnect(in: &step) }
        case .joined(topic: 0, let participant): self.agentJoinedSession(participant, in: &step)
        case .joined(let topic, let participant):
            if topic == self.directory.screen?.id { self.agentJoinedScreen(participant.id, in: &step) }
            // One who has just come in has not heard of the form yet.
            if self.directory.topics[topic]?.type == "input" { self.sendForm(in: &step) }
            if self.directory.topics[topic]?.type == "snapshot" { self.sendSnapshot(in: &step) }
        case .left(topic: 0, let participant): self.agentLeftSession(participant.id, in: &step)
        case .left(let topic, let participant):
            if topic == self.directory.screen?.id { self.agentLeftScreen(participant.id, in: &step) }
        case .opened(let topic): self.topicOpened(topic, in: &step)
        case .closed(let topic): self.topicClosed(topic, in: &step)
        case .permission(let topic, let source, let target, let permission):
            // An agent asks for itself; nobody can ask for another.
            guard topic == self.directory.screen?.id, permission == .requested, source == target else { return }
            self.agentRequested(source, in: &step)
        case .message(let topic, let source, let bytes): self.received(bytes, on: topic, from: source, in: &step)
        }
    }

    /// After a reconnect the topics that are still there stay; what is missing is opened again.
    private mutating func renewAfterReconnect(in step: inout Step) {
        guard let screen = self.directory.screen else {
            // On the first connection the topic is on its way already.
            if self.hasOpenedScreen { self.openScreenTopic(in: &step) }
            return
        }
        guard screen.owner == self.directory.ownID else { return }
        for topic in self.directory.topics.values.sorted(by: { $0.id < $1.id })
        where topic.owner == self.directory.ownID {
            self.send(TopicFrame(.joinTopic, topic: topic.id, participant: self.directory.ownID), in: &step)
            self.directory.setJoined(topic.id, true)
        }
        // What was decided while the connection was away has not reached the server: those who lost their admission
        // lose it now, before anything else is sent.
        for agent in self.agents.values.sorted(by: { $0.id < $1.id }) where !agent.isAllowed {
            self.withdraw(agent.id, everywhere: true, in: &step)
        }
        for agent in self.agents.values.sorted(by: { $0.id < $1.id }) where agent.isAllowed {
            self.allow(agent.id, in: &step)
        }
    }

    private mutating func topicOpened(_ topic: Topic, in step: inout Step) {
        if topic.isScreen, topic.owner == self.directory.ownID {
            self.hasOpenedScreen = true
            let metadata: JSONValue = ["type": "scrollbar"]
            self.send(.openPrivate(parent: topic.id, metadata: metadata), in: &step)
            for agent in self.agents.values.sorted(by: { $0.id < $1.id })
            where agent.isAllowed || self.approvedNames.contains(agent.name) {
                self.allow(agent.id, in: &step)
            }
            self.updateForm(in: &step)
            return
        }
        guard topic.owner == self.directory.ownID else {
            // What an agent opens on the screen to draw or to point.
            guard topic.type == "annotation" || topic.type == "spotlight", topic.parent == self.directory.screen?.id
            else {
                return
            }
            self.send(TopicFrame(.joinTopic, topic: topic.id, participant: self.directory.ownID), in: &step)
            return self.directory.setJoined(topic.id, true)
        }
        switch topic.type {
        case "input", "scrollbar", "snapshot":
            for agent in self.agents.values.sorted(by: { $0.id < $1.id }) where agent.isAllowed {
                self.permit(agent, on: topic, in: &step)
            }
            if topic.type == "input" { self.sendForm(in: &step) }
        case "shared-window": self.documentTopicOpened(topic, in: &step)
        default: break
        }
    }

    private mutating func topicClosed(_ topic: Topic, in step: inout Step) {
        if topic.isScreen {
            let watching = self.agents.values.filter(\.isCobrowsing).map(\.id).sorted()
            for id in watching { self.agentLeftScreen(id, in: &step) }
        }
        self.annotations.removeAll { $0.topic == topic.id }
    }

    // MARK: Agents

    private mutating func agentJoinedSession(_ participant: Participant, in step: inout Step) {
        guard participant.role == "agent", self.agents.count < 1_000 else { return }
        let name = participant.name.isEmpty ? self.configuration.agentName : participant.name
        let agent = AgentRecord(
            id: participant.id, name: name, permissions: AgentPermissions(metadata: participant.metadata))
        self.agents[agent.id] = agent
        self.emit(
            .agentJoinedSession, "agentJoinedSession(_:)", agent.fields, isSet: self.configuration.hasCobrowseDelegate,
            in: &step)
    }

    private mutating func agentLeftSession(_ id: UInt16, in step: inout Step) {
        self.agentLeftScreen(id, in: &step)
        guard let agent = self.agents.removeValue(forKey: id) else { return }
        if self.lastAsked == id { self.lastAsked = nil }
        self.emit(
            .agentLeftSession, "agentLeftSession(_:)", agent.fields, isSet: self.configuration.hasCobrowseDelegate,
            in: &step)
    }

    private mutating func agentRequested(_ id: UInt16, in step: inout Step) {
        guard let agent = self.agents[id] else { return }
        self.agents[id]?.hasAsked = true
        self.lastAsked = id
        if self.approvedNames.contains(agent.name) { return self.allow(id, in: &step) }
        switch self.configuration.cobrowseCallback {
        case .agentCobrowse: self.emit(.cobrowseRequested, "agentRequestedCobrowse(_:)", agent.fields, in: &step)
        case .screenShare:
            self.emit(.cobrowseRequested, "assistSDKScreenShareRequested(_:deny:)", agent.fields, in: &step)
        case .prompt:
            if self.hasAcceptedPrompt { return self.allow(id, in: &step) }
            self.emit(.cobrowseRequested, "", agent.fields, in: &step)
        }
    }

    /// Admits an agent, or notes the approval until there is something to admit to.
    mutating func allow(_ id: UInt16, in step: inout Step) {
        guard let agent = self.agents[id] else { return }
        guard let screen = self.directory.screen, screen.owner == self.directory.ownID else {
            self.approvedNames.insert(agent.name)
            return
        }
        self.approvedNames.remove(agent.name)
        let before = self.view
        self.agents[id]?.isAllowed = true
        self.agents[id]?.hasAsked = false
        self.setPermission(.allowed, of: id, on: screen.id, in: &step)
        for topic in self.directory.topics.values.sorted(by: { $0.id < $1.id })
        where topic.owner == self.directory.ownID && ["input", "scrollbar", "snapshot"].contains(topic.type) {
            self.permit(agent, on: topic, in: &step)
        }
        // One who may see less makes the picture smaller for all, and at once.
        if before?.items != self.view?.items, self.isActive { self.sendPicture(in: &step) }
        self.updateForm(in: &step)
    }

    private mutating func permit(_ agent: AgentRecord, on topic: Topic, in step: inout Step) {
        let mayTouchAll = agent.permissions.interactive.contains(AgentPermissions.defaultMarker)
        guard topic.type != "scrollbar" || mayTouchAll else { return }
        self.setPermission(.allowed, of: agent.id, on: topic.id, in: &step)
    }

    private mutating func setPermission(
        _ permission: TopicPermission, of target: UInt16, on topic: UInt16, in step: inout Step
    ) {
        self.directory.setPermission(topic, of: target, permission)
        self.send(
            .permission(topic: topic, target: target, permission, participant: self.directory.ownID), in: &step)
    }

    /// Refuses an agent who asked, or sends one away who is watching.
    mutating func disallow(_ id: UInt16, in step: inout Step) {
        guard let agent = self.agents[id] else { return }
        self.approvedNames.remove(agent.name)
        guard let screen = self.directory.screen else { return }
        self.withdraw(id, in: &step)
        guard agent.isCobrowsing else {
            // Denied and then nothing, so that the agent may ask again.
            self.agents[id]?.isAllowed = false
            return self.setPermission(.none, of: id, on: screen.id, in: &step)
        }
        self.agentLeftScreen(id, in: &step)
    }

    /// Takes the permissions of an agent back, on all topics that the consumer owns.
    ///
    /// - Parameter everywhere: Also where the consumer knows of no permission.
    private mutating func withdraw(_ id: UInt16, everywhere: Bool = false, in step: inout Step) {
        for topic in self.directory.topics.values.sorted(by: { $0.id < $1.id })
        where topic.owner == self.directory.ownID && topic.isPrivate
            && (everywhere || topic.isScreen || topic.permissions[id] == .allowed)
        {
            self.setPermission(.denied, of: id, on: topic.id, in: &step)
        }
    }

    private mutating func agentJoinedScreen(_ id: UInt16, in step: inout Step) {
        guard let agent = self.agents[id], agent.isAllowed else {
            // A server that lets somebody in whom nobody admitted: nothing is shown to that one.
            return self.withdraw(id, in: &step)
        }
        if !agent.isCobrowsing {
            self.agents[id]?.isCobrowsing = true
            self.emit(
                .agentJoinedCobrowse, "agentJoinedCobrowse(_:)", agent.fields,
                isSet: self.configuration.hasCobrowseDelegate, in: &step)
        }
        self.setActive(true, in: &step)
        guard let screen = self.directory.screen else { return }
        self.say(
            .windowResized(width: Int16(clamping: self.screen.width), height: Int16(clamping: self.screen.height)),
            on: screen.id, in: &step)
        self.sendPicture(in: &step)
        self.say(self.isPaused ? .offAssist : .onAssist, on: screen.id, in: &step)
        // Whoever comes for the form later gets it then.
        let input = self.directory.first { $0.type == "input" && $0.owner == self.directory.ownID }
        if input?.members.contains(id) == true { self.sendForm(in: &step) }
    }

    /// Takes the admission of an agent back who has left or was sent away.
    mutating func agentLeftScreen(_ id: UInt16, in step: inout Step) {
        guard let agent = self.agents[id], agent.isCobrowsing || agent.isAllowed else { return }
        // Leaving resets the permission; the agent has to ask again.
        if agent.isAllowed { self.withdraw(id, in: &step) }
        self.agents[id]?.isAllowed = false
        self.agents[id]?.isCobrowsing = false
        guard agent.isCobrowsing else { return }
        self.emit(
            .agentLeftCobrowse, "agentLeftCobrowse(_:)", agent.fields, isSet: self.configuration.hasCobrowseDelegate,
            in: &step)
        if self.agents.values.contains(where: \.isCobrowsing) {
            // Those who stay may see more now.
            self.sendPicture(in: &step)
            self.updateForm(in: &step)
        } else {
            self.setActive(false, in: &step)
        }
    }

    /// Tells the script when the first agent begins to watch and the last one stops.
    mutating func setActive(_ isActive: Bool, in step: inout Step) {
        guard self.isActive != isActive else { return }
        self.isActive = isActive
        self.emit(.cobrowseActive, "cobrowseActiveDidChange(to:)", ["active": .bool(isActive)], in: &step)
        if isActive, self.hasCall, self.configuration.videoMode != "none", let screen = self.directory.screen {
            let metadata: JSONValue = [
                "type": "shared-window", "moveable": true, "name": "draggable-agent-window",
                "onTop": .bool(self.configuration.isAgentWindowOnTop),
            ]
            self.send(TopicFrame(.openTopic, topic: screen.id, json: metadata), in: &step)
        }
    }

    // MARK: Messages

    private mutating func received(
        _ bytes: [UInt8], on topic: UInt16, from source: UInt16, in step: inout Step
    ) {
        guard topic != 0 else {
            guard self.agents[source] != nil, let value = try? JSONReader.read(bytes, depth: 16) else { return }
            return self.receivedJSON(value, from: source, in: &step)
        }
        // Only those who watch may say anything about the screen.
        guard self.agents[source]?.isCobrowsing == true, let place = self.directory.topics[topic],
            let message = WindowMessage(bytes)
        else { return }
        switch place.type {
        case "annotation": self.receivedDrawing(message, on: topic, from: source, in: &step)
        case "spotlight":
            guard case .cursorPing(let x, let y) = message, !self.isPaused else { return }
            self.emit(
                .spotlight, "",
                [
                    "x": .integer(Int64(x)), "y": .integer(Int64(y)),
                    "agent": .string(self.agents[source]?.name ?? ""),
                ], in: &step)
        case "input": self.receivedForm(message, from: source, in: &step)
        case "shared-window" where place.isScreen:
            self.receivedDocument(message, from: source, in: &step)
            self.receivedInput(message, from: source, in: &step)
        case "shared-window":
            if case .windowClosed = message { self.documentWindowClosed(topic, by: .agent, in: &step) }
        default: break
        }
    }

    private mutating func receivedJSON(_ value: JSONValue, from source: UInt16, in step: inout Step) {
        let agent = JSONValue.string(self.agents[source]?.name ?? "")
        switch value["type"]?.string {
        case "url":
            // A link needs no authorization, but while paused it is ignored.
            guard !self.isPaused, let url = value["url"]?.string else { return }
            self.emit(.link, "", ["url": .string(url), "agent": agent], raw: value, in: &step)
        case "requestScreenShare":
            // For agents who find no screen topic; it is opened for them.
            if self.directory.screen == nil { self.openScreenTopic(in: &step) }
        case "startZoom", "endZoom":
            let isStart = value["type"]?.string == "startZoom"
            guard self.isActive, self.isZooming != isStart, !self.documents.contains(where: { $0.state == .open }),
                let screen = self.directory.screen
            else { return }
            self.isZooming = isStart
            if isStart {
                let metadata: JSONValue = [
                    "type": "zoom-window", "moveable": true, "closeable": true, "zoomable": true, "resizeable": true,
                    "name": "zoom-window",
                ]
                self.send(TopicFrame(.openTopic, topic: screen.id, json: metadata), in: &step)
            } else if let window = self.directory.first(where: { $0.type == "zoom-window" }) {
                self.send(TopicFrame(.closeTopic, topic: window.id), in: &step)
            }
            self.emit(.zoom, "", ["active": .bool(isStart), "agent": agent], raw: value, in: &step)
        default: break
        }
    }
}
