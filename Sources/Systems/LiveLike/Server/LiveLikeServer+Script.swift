import HTTPTypes
import JSON
import Machines

/// What scripts ask of the service and of its moderators.
extension LiveLikeServer {
    static func commands(of party: String?) -> CommandSet<ServiceCommand> {
        party == nil ? ServiceVocabulary.commands : ServiceVocabulary.moderatorCommands
    }

    mutating func perform(_ command: ServiceCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        switch command {
        case .service(let command): self.perform(command, in: &step)
        case .moderator(let command): self.perform(command, by: party ?? "", in: &step)
        }
    }

    // MARK: The service

    private mutating func perform(_ command: OwnCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .createRoom(let id, let options):
            let id = id ?? step.random.uuid()
            guard self.rooms[id] == nil else { return .refused("the room \"\(id)\" exists already; choose another id") }
            self.addRoom(id: id, options ?? [:], creator: nil, at: step.now)
            return .done(.string(id))
        case .setLatency(let latency, let jitter):
            self.options.latency = latency
            self.options.jitter = jitter ?? .zero
        case .setLoss(let loss):
            guard 0..<1 ~= loss else { return .refused("set_loss takes a number from 0 to below 1, not \(loss)") }
            self.options.loss = loss
        case .failNext(let path, let status, let detail, let count):
            let status = status ?? 500
            guard status == 0 || 400...599 ~= status else {
                return .refused("fail_next takes a status from 400 to 599, or 0 to drop the connection, not \(status)")
            }
            self.failures.append(
                Failure(
                    path: path, status: Int(status), detail: detail ?? "The script failed this request.",
                    count: max(1, count ?? 1)))
        case .dropSubscribers:
            let dropped = self.carrier.takeAllWaiters()
            for exchange in dropped { step.ask(.drop(exchange)) }
            return .done(.integer(Int64(dropped.count)))
        case .publishRaw(let channel, let envelope): self.publish(envelope, on: channel, in: &step)
        case .room(let id):
            guard let room = self.rooms[id] else { return .done(.null) }
            let messages = self.carrier.messages(
                on: room.chatChannel, before: nil, after: .zero, limit: 1_000, for: nil)
            return .done(
                .object(
                    self.info(of: room).merging([
                        "members": .array(room.members.map { .string($0) }),
                        "messages": .array(messages.map { $0.data["payload"] ?? .null }),
                        "pins": .array(room.pins.map { .object($0) }),
                    ])))
        }
        return .done(.null)
    }

    // MARK: Moderators

    /// The profile of a party; made when the party first acts.
    private mutating func profile(of party: String, in step: inout Step) -> ServerProfile {
        if let id = self.partyProfiles[party], let profile = self.profiles[id] { return profile }
        let profile = self.addProfile(nickname: party, isProducer: true, in: &step)
        self.partyProfiles[party] = profile.id
        return profile
    }

    /// Reads who is meant: an actor of the scenario, or a profile id.
    private func memberID(_ value: JSONValue) -> String? {
        let id = value["profile_id"]?.string ?? value.string
        return id.flatMap { self.profiles[$0] == nil ? nil : $0 }
    }

    private static func unknownMember(_ method: String) -> CommandOutcome {
        .refused("\(method) needs a member who has connected; expect \"connected\" of it first")
    }

    private mutating func perform(
        _ command: ModeratorCommand, by party: String, in step: inout Step
    ) -> CommandOutcome {
        let profile = self.profile(of: party, in: &step)
        switch command {
        case .watch: if !self.watchers.contains(party) { self.watchers.append(party) }
        case .reports: return .done(.array(self.reports.map { .object($0) }))
        case .dismissReport(let id):
            guard let index = self.reports.firstIndex(where: { $0["id"]?.string == id }) else {
                return .refused("there is no report \"\(id)\"; take the id of a report")
            }
            self.reports.remove(at: index)
        case .mute(let muting, let member, let room, let name):
            guard let member = self.memberID(member) else { return Self.unknownMember(name) }
            if let room, self.rooms[room] == nil { return .refused("there is no room \"\(room)\"") }
            self.mute(muting, member, room: room)
        case .room(let act, let room, let name):
            let id = room ?? (self.roomOrder.count == 1 ? self.roomOrder[0] : "")
            guard let room = self.rooms[id] else {
                return .refused("\(name) needs a room; there is no room \"\(id)\", pass one that exists")
            }
            return self.perform(act, named: name, in: room, by: profile, in: &step)
        }
        return .done(.null)
    }

    private mutating func mute(_ muting: Muting, _ member: String, room: String?) {
        guard muting.isShadow else { return self.setMuted(muting.isOn, member, room: room) }
        switch (room, muting.isOn) {
        case (let room?, true): self.rooms[room]?.shadowMuted.insert(member)
        case (let room?, false): self.rooms[room]?.shadowMuted.remove(member)
        case (nil, true): self.globallyShadowMuted.insert(member)
        case (nil, false): self.globallyShadowMuted.remove(member)
        }
    }

    private mutating func perform(
        _ act: RoomModeration, named name: String, in room: ServerRoom, by profile: ServerProfile,
        in step: inout Step
    ) -> CommandOutcome {
        func missing(_ id: String) -> CommandOutcome {
            .refused("the room \"\(room.id)\" has no message \"\(id)\"; take the id of a message event")
        }
        switch act {
        case .say(let text): return self.post(.messageCreated, ["message": .string(text)], room, profile, in: &step)
        case .sendImage(let url, let width, let height):
            let image: JSONObject = [
                "image_url": .string(url), "image_width": .integer(width ?? 100),
                "image_height": .integer(height ?? 100),
            ]
            return self.post(.imageCreated, image, room, profile, in: &step)
        case .sendCustom(let data):
            return self.post(.customMessageCreated, ["custom_data": .string(data)], room, profile, in: &step)
        case .delete(let id, let isRemoved):
            guard self.delete(id, in: room, removing: isRemoved, in: &step) else { return missing(id) }
        case .pin(let id):
            guard let token = room.tokens[id.lowercased()],
                let entry = self.carrier.entry(on: room.chatChannel, at: token)
            else { return missing(id) }
            let info = self.pin(id, payload: entry.data["payload"] ?? .null, in: room, by: profile.id, in: &step)
            return .done(info["id"] ?? .null)
        case .unpin(let id):
            guard self.unpin(id, in: room.id, in: &step) else {
                return .refused("nothing is pinned with the id \"\(id)\"; take the id that pin returned")
            }
        case .update(let fields): self.updateRoom(room.id, fields, in: &step)
        case .invite(let member):
            guard let member = self.memberID(member).flatMap({ self.profiles[$0] }) else {
                return Self.unknownMember(name)
            }
            return .done(self.invite(member, to: room, by: profile, in: &step)["id"] ?? .null)
        case .addMember(let member):
            guard let member = self.memberID(member).flatMap({ self.profiles[$0] }) else {
                return Self.unknownMember(name)
            }
            let response = self.addMember(member, to: room, by: profile, in: &step)
            guard response.head.status.kind == .successful else {
                return .refused("the member is in the room \"\(room.id)\" already")
            }
        }
        return .done(.null)
    }

    private mutating func post(
        _ event: EnvelopeEvent, _ fields: JSONObject, _ room: ServerRoom, _ profile: ServerProfile,
        in step: inout Step
    ) -> CommandOutcome {
        let message = self.makeMessage(event, fields, room: room, profile: profile, in: &step)
        _ = self.deliver(event, message, room: room, by: profile.id, in: &step)
        return .done(message["id"] ?? .null)
    }
}
