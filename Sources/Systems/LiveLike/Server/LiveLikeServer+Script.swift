import HTTPTypes
import JSON
import Machines

/// What scripts ask of the service and of its moderators.
extension LiveLikeServer {
    mutating func perform(_ command: Command, by party: String?, in step: inout Step) -> CommandOutcome {
        guard let party else { return self.performService(command, in: &step) }
        return self.performParty(command, by: party, in: &step)
    }

    // MARK: The service

    private mutating func performService(_ command: Command, in step: inout Step) -> CommandOutcome {
        let arguments = command.arguments
        switch command.name {
        case "create_room":
            let options = arguments["options"]?.object ?? [:]
            let id = arguments["id"]?.string ?? step.random.uuid()
            guard self.rooms[id] == nil else { return .refused("the room \"\(id)\" exists already; choose another id") }
            self.addRoom(id: id, options, creator: nil, at: step.now)
            return .done(.string(id))
        case "set_latency":
            self.options.latency = Duration(scriptSeconds: arguments["latency"]?.double ?? 0) ?? .zero
            self.options.jitter = Duration(scriptSeconds: arguments["jitter"]?.double ?? 0) ?? .zero
            return .done(.null)
        case "set_loss":
            let loss = arguments["loss"]?.double ?? 0
            guard 0..<1 ~= loss else { return .refused("set_loss takes a number from 0 to below 1, not \(loss)") }
            self.options.loss = loss
            return .done(.null)
        case "fail_next":
            let status = arguments["status"]?.integer ?? 500
            guard status == 0 || 400...599 ~= status else {
                return .refused("fail_next takes a status from 400 to 599, or 0 to drop the connection, not \(status)")
            }
            self.failures.append(
                Failure(
                    path: arguments["path"]?.string ?? "", status: Int(status),
                    detail: arguments["detail"]?.string ?? "The script failed this request.",
                    count: max(1, arguments["count"]?.integer ?? 1)))
            return .done(.null)
        case "drop_subscribers":
            let dropped = self.carrier.takeAllWaiters()
            for exchange in dropped { step.ask(.drop(exchange)) }
            return .done(.integer(Int64(dropped.count)))
        case "publish_raw":
            self.publish(arguments["envelope"] ?? .null, on: arguments["channel"]?.string ?? "", in: &step)
            return .done(.null)
        case "room":
            guard let room = self.rooms[arguments["id"]?.string ?? ""] else { return .done(.null) }
            let messages = self.carrier.messages(
                on: room.chatChannel, before: nil, after: .zero, limit: 1_000, for: nil)
            return .done(
                .object(
                    self.info(of: room).merging([
                        "members": .array(room.members.map { .string($0) }),
                        "messages": .array(messages.map { $0.data["payload"] ?? .null }),
                        "pins": .array(room.pins.map { .object($0) }),
                    ])))
        default: return .refused("\(command.name) is not a method of a LiveLike server")
        }
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
    private func memberID(_ value: JSONValue?) -> String? {
        let id = value?["profile_id"]?.string ?? value?.string
        return id.flatMap { self.profiles[$0] == nil ? nil : $0 }
    }

    private mutating func performParty(
        _ command: Command, by party: String, in step: inout Step
    ) -> CommandOutcome {
        let profile = self.profile(of: party, in: &step)
        let arguments = command.arguments
        switch command.name {
        case "watch":
            if !self.watchers.contains(party) { self.watchers.append(party) }
            return .done(.null)
        case "reports": return .done(.array(self.reports.map { .object($0) }))
        case "dismiss_report":
            let id = arguments["id"]?.string
            guard let index = self.reports.firstIndex(where: { $0["id"]?.string == id }) else {
                return .refused("there is no report \"\(id ?? "")\"; take the id of a report")
            }
            self.reports.remove(at: index)
            return .done(.null)
        case "mute", "unmute", "shadow_mute", "shadow_unmute": return self.performMute(command)
        default: break
        }
        let name = arguments["room"]?.string ?? (self.roomOrder.count == 1 ? self.roomOrder[0] : "")
        guard let room = self.rooms[name] else {
            return .refused("\(command.name) needs a room; there is no room \"\(name)\", pass one that exists")
        }
        return self.performInRoom(command, room: room, by: profile, in: &step)
    }

    private mutating func performMute(_ command: Command) -> CommandOutcome {
        guard let member = self.memberID(command.arguments["member"]) else {
            return .refused("\(command.name) needs a member who has connected; expect \"connected\" of it first")
        }
        let room = command.arguments["room"]?.string
        if let room, self.rooms[room] == nil { return .refused("there is no room \"\(room)\"") }
        let isOn = command.name == "mute" || command.name == "shadow_mute"
        guard command.name.hasPrefix("shadow") else {
            self.setMuted(isOn, member, room: room)
            return .done(.null)
        }
        switch (room, isOn) {
        case (let room?, true): self.rooms[room]?.shadowMuted.insert(member)
        case (let room?, false): self.rooms[room]?.shadowMuted.remove(member)
        case (nil, true): self.globallyShadowMuted.insert(member)
        case (nil, false): self.globallyShadowMuted.remove(member)
        }
        return .done(.null)
    }

    private mutating func performInRoom(
        _ command: Command, room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> CommandOutcome {
        let arguments = command.arguments
        let id = arguments["id"]?.string ?? ""
        switch command.name {
        case "say": return self.post(.messageCreated, ["message": arguments["text"] ?? ""], room, profile, in: &step)
        case "send_image":
            let image: JSONObject = [
                "image_url": arguments["url"] ?? "", "image_width": arguments["width"] ?? 100,
                "image_height": arguments["height"] ?? 100,
            ]
            return self.post(.imageCreated, image, room, profile, in: &step)
        case "send_custom":
            return self.post(.customMessageCreated, ["custom_data": arguments["data"] ?? ""], room, profile, in: &step)
        case "delete_message":
            guard self.delete(id, in: room, removing: arguments["remove"]?.bool ?? false, in: &step) else {
                return .refused("the room \"\(room.id)\" has no message \"\(id)\"; take the id of a message event")
            }
            return .done(.null)
        case "pin":
            guard let token = room.tokens[id.lowercased()],
                let entry = self.carrier.entry(on: room.chatChannel, at: token)
            else { return .refused("the room \"\(room.id)\" has no message \"\(id)\"; take the id of a message event") }
            let info = self.pin(
                id, payload: entry.data["payload"] ?? .null, in: room, by: profile.id, in: &step)
            return .done(info["id"] ?? .null)
        case "unpin":
            guard self.unpin(id, in: room.id, in: &step) else {
                return .refused("nothing is pinned with the id \"\(id)\"; take the id that pin returned")
            }
            return .done(.null)
        case "update_room":
            self.updateRoom(room.id, arguments["fields"]?.object ?? [:], in: &step)
            return .done(.null)
        case "add_member", "invite":
            guard let member = self.memberID(arguments["member"]).flatMap({ self.profiles[$0] }) else {
                return .refused("\(command.name) needs a member who has connected; expect \"connected\" of it first")
            }
            if command.name == "invite" {
                return .done(self.invite(member, to: room, by: profile, in: &step)["id"] ?? .null)
            }
            let response = self.addMember(member, to: room, by: profile, in: &step)
            guard response.head.status.kind == .successful else {
                return .refused("the member is in the room \"\(room.id)\" already")
            }
            return .done(.null)
        default: return .refused("\(command.name) is not a method of a LiveLike moderator")
        }
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
