import JSON
import Machines

/// The agents in the session, and who of them may see the screen.
///
/// | an agent | input | → the agent | actions |
/// |---|---|---|---|
/// | absent | `joinedSession` | present, or approved if one of that name was | `agent_joined_session` |
/// | present | `requested` | present | `cobrowse_requested`; opens the screen topic if it is gone |
/// | present | `answered` yes, no screen topic yet | approved | |
/// | present, approved | `answered` yes; `requested` after an accepted prompt | admitted | permissions |
/// | approved | `requested`, `readmitted` | admitted | permissions |
/// | present, approved | `answered` no | present | takes the permissions back; no screen topic yet: says so |
/// | admitted | `joinedScreen` | watching | `agent_joined_cobrowse`; the screen |
/// | present, approved | `joinedScreen` | unchanged | takes the permissions back |
/// | watching | `answered` no, `leftScreen`, `screenClosed` | present | takes the permissions back; `agent_left_cobrowse` |
/// | admitted | `answered` no, `leftScreen` | present | takes the permissions back; those who watch see more |
/// | any | `leftSession`, `sessionBegan`, `sessionEnded` | absent | `agent_left_session`, if it left |
/// | any | `screenOpened`, `relisted` | unchanged | readmits |
/// | admitted, watching | `topicOpened`, `readmitted` | unchanged | permissions |
struct ScreenPermissionPart: Sendable {
    /// What happens to the agents.
    enum Input: Sendable {
        case joinedSession(Participant)
        case leftSession(UInt16)
        case requested(UInt16)
        /// The consumer's answer; without an agent to the one who asked last, or to the only one.
        case answered(Bool, agent: JSONValue?)
        case joinedScreen(UInt16)
        case leftScreen(UInt16)
        /// The consumer's own topic of the screen is there.
        case screenOpened(Topic)
        case screenClosed
        /// Admit an agent who was admitted or approved before.
        case readmitted(UInt16)
        /// Another topic of the consumer's own is there.
        case topicOpened(Topic)
        /// The lists of the session have come, as they do after each connection.
        case relisted
        case sessionBegan, sessionEnded
    }

    /// At most this many agents are in a session; defined here.
    private static let limit = 1_000

    private(set) var agents: [UInt16: AgentRecord] = [:]
    private var lastAsked: UInt16?
    private var approvedNames: Set<String> = []
    private var hasAcceptedPrompt = false
    private var hasOpenedScreen = false

    private var sorted: [AgentRecord] { self.agents.values.sorted { $0.id < $1.id } }

    /// Whether an agent is admitted as soon as there is something to admit to.
    func isApproved(_ id: UInt16) -> Bool {
        self.agents[id].map { self.approvedNames.contains($0.name) } ?? false
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        // What is set here reaches the directory of the client later, but counts for what is set next.
        var directory = context.directory
        switch input {
        case .joinedSession(let participant): return self.join(participant, context.configuration)
        case .leftSession(let id): return self.leaveSession(id, context, &directory)
        case .requested(let id): return self.request(id, context, &directory)
        case .answered(let isAllowed, let named):
            return self.answer(isAllowed, named, context, &directory)
        case .joinedScreen(let id): return self.joinScreen(id, context, &directory)
        case .leftScreen(let id): return self.leaveScreen(id, context, &directory)
        case .screenOpened(let topic):
            self.hasOpenedScreen = true
            let scrollbar = TopicFrame.openPrivate(parent: topic.id, metadata: ["type": "scrollbar"])
            return [.send(scrollbar)] + self.sorted.map { ConsumerAction.readmit($0.id) } + [.updateForm]
        case .readmitted(let id):
            guard self.agents[id]?.isAllowed == true || self.isApproved(id) else { return [] }
            return self.allow(id, context, &directory)
        case .screenClosed:
            return self.sorted.filter(\.isCobrowsing).flatMap {
                self.leaveScreen($0.id, context, &directory)
            }
        case .topicOpened(let topic):
            return self.sorted.filter(\.isAllowed).flatMap { Self.permit($0, on: topic, &directory) }
        case .relisted: return self.renew(context, &directory)
        case .sessionBegan: self = ScreenPermissionPart()
        case .sessionEnded: self.agents = [:]
        }
        return []
    }

    // MARK: Coming and going

    private mutating func join(_ participant: Participant, _ configuration: SupportConfiguration)
        -> [ConsumerAction]
    {
        guard participant.role == "agent", self.agents.count < Self.limit else { return [] }
        let agent = AgentRecord(
            id: participant.id,
            name: participant.name.isEmpty ? configuration.agentName : participant.name,
            permissions: AgentPermissions(metadata: participant.metadata))
        self.agents[agent.id] = agent
        let isSet = configuration.delegates.hasCobrowse
        return [.emit(.agentJoinedSession, "agentJoinedSession(_:)", agent.fields, isSet: isSet)]
    }

    private mutating func leaveSession(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        let leaving = self.leaveScreen(id, context, &directory)
        guard let agent = self.agents.removeValue(forKey: id) else { return leaving }
        if self.lastAsked == id { self.lastAsked = nil }
        let isSet = context.configuration.delegates.hasCobrowse
        return leaving + [
            .agentLeft(id), .emit(.agentLeftSession, "agentLeftSession(_:)", agent.fields, isSet: isSet),
        ]
    }

    private mutating func joinScreen(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let agent = self.agents[id], agent.isAllowed else {
            // A server that lets somebody in whom nobody admitted: nothing is shown to that one.
            return Self.withdraw(id, &directory)
        }
        var actions: [ConsumerAction] = []
        if !agent.isCobrowsing {
            self.agents[id]?.isCobrowsing = true
            let isSet = context.configuration.delegates.hasCobrowse
            actions.append(
                .emit(.agentJoinedCobrowse, "agentJoinedCobrowse(_:)", agent.fields, isSet: isSet))
        }
        actions.append(.setActive(true))
        guard let screen = directory.screen else { return actions }
        actions += [
            .say(context.screen.sizeMessage, on: screen.id), .sendPicture(of: nil),
            .say(context.isPaused ? .offAssist : .onAssist, on: screen.id),
        ]
        // Whoever comes for the form later gets it then.
        return actions + (context.ownTopic("input")?.members.contains(id) == true ? [.sendForm] : [])
    }

    /// Takes the admission of an agent back who has left or was sent away.
    private mutating func leaveScreen(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let agent = self.agents[id], agent.isCobrowsing || agent.isAllowed else { return [] }
        // Leaving resets the permission; the agent has to ask again.
        let actions = agent.isAllowed ? Self.withdraw(id, &directory) : []
        self.agents[id]?.isAllowed = false
        self.agents[id]?.isCobrowsing = false
        guard agent.isCobrowsing else { return actions + self.shown(without: agent, context) }
        let isSet = context.configuration.delegates.hasCobrowse
        let event = ConsumerAction.emit(
            .agentLeftCobrowse, "agentLeftCobrowse(_:)", agent.fields, isSet: isSet)
        // Those who stay may see more now.
        let isWatched = self.agents.values.contains(where: \.isCobrowsing)
        return actions + [event]
            + (isWatched ? [.sendPicture(of: nil), .updateForm] : [.setActive(false)])
    }

    // MARK: Admission

    private mutating func request(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let agent = self.agents[id] else { return [] }
        self.lastAsked = id
        // On the first connection the topic is on its way already.
        let opening: [ConsumerAction] =
            directory.screen == nil && self.hasOpenedScreen ? [.openScreenTopic] : []
        return opening + self.ask(agent, context, &directory)
    }

    private mutating func ask(
        _ agent: AgentRecord, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        let id = agent.id
        if self.approvedNames.contains(agent.name) { return self.allow(id, context, &directory) }
        switch context.configuration.delegates.cobrowseCallback {
        case .agentCobrowse:
            return [.emit(.cobrowseRequested, "agentRequestedCobrowse(_:)", agent.fields)]
        case .screenShare:
            return [.emit(.cobrowseRequested, "assistSDKScreenShareRequested(_:deny:)", agent.fields)]
        case .prompt:
            if self.hasAcceptedPrompt { return self.allow(id, context, &directory) }
            return [.emit(.cobrowseRequested, "", agent.fields)]
        }
    }

    private mutating func answer(
        _ isAllowed: Bool, _ named: JSONValue?, _ context: CobrowseContext,
        _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        let id: UInt16?
        if let name = named?.string ?? named?["name"]?.string {
            id = self.agents.values.filter { $0.name == name }.map(\.id).max()
        } else if let number = named?["participant"]?.integer {
            id = UInt16(exactly: number)
        } else {
            id = self.lastAsked ?? (self.agents.count == 1 ? self.agents.keys.first : nil)
        }
        guard let id, self.agents[id] != nil else {
            let reason = "no such agent is in the session; expect \"agent_joined_session\" first"
            return [.answer(.refused(reason))]
        }
        guard isAllowed else { return self.disallow(id, context, &directory) }
        if context.configuration.delegates.cobrowseCallback == .prompt { self.hasAcceptedPrompt = true }
        return self.allow(id, context, &directory)
    }

    /// Admits an agent, or notes the approval until there is something to admit to.
    private mutating func allow(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let agent = self.agents[id] else { return [] }
        guard let screen = directory.screen, screen.owner == directory.ownID else {
            self.approvedNames.insert(agent.name)
            return []
        }
        self.approvedNames.remove(agent.name)
        let before = context.screen.view(for: self.agents.values, context.configuration)
        self.agents[id]?.isAllowed = true
        var actions = [Self.set(.allowed, of: id, on: screen.id, &directory)]
        for topic in Self.ownTopics(directory)
        where ["input", "scrollbar", "snapshot"].contains(topic.type) {
            actions += Self.permit(agent, on: topic, &directory)
        }
        // One who may see less makes the picture smaller for all, and at once.
        let after = context.screen.view(for: self.agents.values, context.configuration)
        if before?.items != after?.items, context.isActive { actions.append(.sendPicture(of: nil)) }
        return actions + [.updateForm]
    }

    /// Refuses an agent who asked, or sends one away who is watching.
    private mutating func disallow(
        _ id: UInt16, _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let agent = self.agents[id] else { return [] }
        self.approvedNames.remove(agent.name)
        guard let screen = directory.screen else { return [.tell(["type": "rejectScreenShare"])] }
        if agent.isCobrowsing { return self.leaveScreen(id, context, &directory) }
        let actions = Self.withdraw(id, &directory)
        // Denied and then nothing, so that the agent may ask again.
        self.agents[id]?.isAllowed = false
        return actions + [Self.set(.none, of: id, on: screen.id, &directory)] + self.shown(without: agent, context)
    }

    /// What those who watch get when one goes who was let in and never came: they may see more now.
    private func shown(without agent: AgentRecord, _ context: CobrowseContext) -> [ConsumerAction] {
        agent.isAllowed && context.isActive ? [.sendPicture(of: nil), .updateForm] : []
    }

    /// After a reconnect the topics that are still there stay; what is missing is opened again.
    private mutating func renew(
        _ context: CobrowseContext, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        guard let screen = directory.screen else {
            // On the first connection the topic is on its way already.
            return self.hasOpenedScreen ? [.openScreenTopic] : []
        }
        guard screen.owner == directory.ownID else { return [] }
        var actions: [ConsumerAction] = Self.ownTopics(directory).map { .join($0.id) }
        // What was decided while the connection was away has not reached the server: those who lost their admission
        // lose it now, before anything else is sent.
        for agent in self.sorted where !agent.isAllowed {
            actions += Self.withdraw(agent.id, everywhere: true, &directory)
        }
        return actions + self.sorted.filter(\.isAllowed).map { ConsumerAction.readmit($0.id) }
    }

    // MARK: Permissions

    private static func ownTopics(_ directory: TopicDirectory) -> [Topic] {
        directory.topics.values.filter { $0.owner == directory.ownID }.sorted { $0.id < $1.id }
    }

    private static func permit(
        _ agent: AgentRecord, on topic: Topic, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        let mayTouchAll = agent.permissions.interactive.contains(AgentPermissions.defaultMarker)
        guard topic.type != "scrollbar" || mayTouchAll else { return [] }
        return [Self.set(.allowed, of: agent.id, on: topic.id, &directory)]
    }

    private static func set(
        _ permission: TopicPermission, of agent: UInt16, on topic: UInt16,
        _ directory: inout TopicDirectory
    ) -> ConsumerAction {
        directory.setPermission(topic, of: agent, permission)
        return .setPermission(permission, of: agent, on: topic)
    }

    /// Takes the permissions of an agent back, on all topics that the consumer owns.
    ///
    /// - Parameter everywhere: Also where the consumer knows of no permission.
    private static func withdraw(
        _ id: UInt16, everywhere: Bool = false, _ directory: inout TopicDirectory
    ) -> [ConsumerAction] {
        var actions: [ConsumerAction] = []
        for topic in Self.ownTopics(directory)
        where topic.isPrivate && (everywhere || topic.isScreen || topic.permissions[id] == .allowed) {
            actions.append(Self.set(.denied, of: id, on: topic.id, &directory))
        }
        return actions
    }
}
