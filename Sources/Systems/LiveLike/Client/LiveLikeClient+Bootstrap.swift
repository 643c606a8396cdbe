import HTTPTypes
import JSON
import Machines

/// From the application resource to a connected room.
extension LiveLikeClient {
    /// Begins to connect a room; the first one starts the whole bootstrap.
    mutating func connect(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard let room = arguments["room"]?.string ?? self.options.roomID, !room.isEmpty else {
            return .refused("connect needs a room; pass its id or give the actor the option roomID")
        }
        guard self.index(of: room) == nil else {
            return .refused("the room \"\(room)\" is connected already; disconnect it first")
        }
        guard self.rooms.count < Self.roomLimit else {
            return .refused("a client connects at most \(Self.roomLimit) rooms; disconnect one first")
        }
        self.rooms.append(
            RoomSession(id: room, limit: self.options.messageLimit, avatarURL: self.options.avatarURL))
        switch self.state {
        case .new:
            self.state = .starting
            let path = "/api/v1/applications/\(FormEncoding.percentEncode(self.options.clientID))/"
            self.request(.application, .get, self.origin.at(path: path), in: &step)
        case .starting: break
        case .ready: self.askForRoom(room, in: &step)
        }
        return .done(.null)
    }

    /// Goes on with the profile: the stored one, or a new one.
    mutating func applicationArrived(_ body: [UInt8], in step: inout ClientStep) {
        guard let value = try? JSONReader.read(body),
            let application = ApplicationResource(value, origin: self.origin)
        else { return self.bootstrapFailed(.unreadable, in: &step) }
        self.application = application
        if let token = self.token {
            self.request(.profile, .get, application.profileURL, token: token, in: &step)
        } else {
            self.request(.profile, .post, application.profileURL, json: [:], in: &step)
        }
    }

    /// Goes on with the rooms, after the display name if that must change first.
    mutating func profileArrived(_ body: [UInt8], in step: inout ClientStep) {
        guard let value = try? JSONReader.read(body), let profile = ProfileResource(value),
            let token = profile.accessToken ?? self.token
        else { return self.bootstrapFailed(.unreadable, in: &step) }
        let hadToken = self.token != nil
        self.token = token
        self.profile = profile
        self.state = .ready
        self.emit(
            .sessionCreated,
            [
                "profile_id": .string(profile.id), "nickname": .string(profile.nickname),
                "access_token": .string(token), "restored": .bool(hadToken),
            ], callback: "accessTokenStorage", in: &step)
        // A new profile has blocked nobody.
        if hadToken, let url = profile.blockedIDsURL {
            self.request(.blockedIDs, .get, url, token: token, in: &step)
        }
        if let interval = self.application?.heartbeatInterval, interval > 0 {
            step.ask(.setTimer("heartbeat", .seconds(min(interval, 3600))))
        }
        if let name = self.options.nickname, name != profile.nickname {
            self.rename(name, in: &step)
        } else {
            self.askForRooms(in: &step)
        }
    }

    /// Fails all rooms that wait; the next `connect` starts anew.
    mutating func bootstrapFailed(_ error: SDKError, in step: inout ClientStep) {
        self.state = .new
        let rooms = self.rooms.map(\.id)
        for room in rooms { self.connectFailed(room, error, in: &step) }
    }

    /// Forgets a room that could not be connected and tells the script why.
    mutating func connectFailed(_ room: String, _ error: SDKError, in step: inout ClientStep) {
        guard self.index(of: room) != nil else { return }
        self.drop(room)
        self.emit(error, callback: "connectChatRoom", ["room": .string(room)], in: &step)
    }

    private mutating func askForRooms(in step: inout ClientStep) {
        for room in self.rooms where room.state == .asking { self.askForRoom(room.id, in: &step) }
    }

    private mutating func askForRoom(_ id: String, in step: inout ClientStep) {
        guard let url = WebAddress.filled(self.application?.roomTemplate, "chat_room_id", with: id) else {
            return self.connectFailed(id, .unreadable, in: &step)
        }
        self.request(.room(id), .get, url, token: self.token, in: &step)
    }

    /// Takes the channels of a room into the subscribe loop.
    mutating func roomArrived(_ id: String, _ body: [UInt8], in step: inout ClientStep) {
        guard let index = self.index(of: id) else { return }
        guard let value = try? JSONReader.read(body), let resource = RoomResource(value) else {
            return self.connectFailed(id, .unreadable, in: &step)
        }
        self.rooms[index].resource = resource
        self.rooms[index].state = .subscribing
        self.roomsByChannel[resource.chatChannel] = id
        if let control = resource.controlChannel { self.roomsByChannel[control] = id }
        self.resubscribe(in: &step)
    }

    /// Goes on with the rooms whose channels an answer of the loop has confirmed.
    mutating func loadConfirmedRooms(in step: inout ClientStep) {
        for index in self.rooms.indices
        where self.rooms[index].state == .subscribing
            && self.loop.confirmed.contains(self.rooms[index].resource.chatChannel)
        {
            self.rooms[index].state = .loading
            self.load(.initial, room: self.rooms[index].id, in: &step)
        }
    }

    /// Tells the script that a room is ready.
    mutating func connected(_ index: Int, in step: inout ClientStep) {
        self.rooms[index].state = .connected
        let room = self.rooms[index]
        var fields = room.resource.info(id: room.id)
        fields["messages"] = .integer(Int64(room.messages.count))
        self.emit(.connected, fields, callback: "connectChatRoom", in: &step)
    }

    /// Ends the session object of a room, as its release does in the vendor's SDK.
    mutating func disconnect(_ room: String, in step: inout ClientStep) {
        self.drop(room)
        if self.rooms.isEmpty { self.endLoop(in: &step) } else { self.resubscribe(in: &step) }
        self.emit(.disconnected, ["room": .string(room), "reason": "unsubscribed"], callback: "deinit", in: &step)
    }

    /// Forgets a room and everything under way for it.
    mutating func drop(_ room: String) {
        self.rooms.removeAll { $0.id == room }
        self.roomsByChannel = self.roomsByChannel.filter { $0.value != room }
        self.outbox.removeAll { $0.room == room }
    }

    /// Asks for another display name, if it has a length that the SDK accepts.
    mutating func rename(_ name: String, in step: inout ClientStep) {
        guard 1...20 ~= name.count else {
            self.emit(.nameLength, callback: "setUserDisplayName", in: &step)
            return self.askForRooms(in: &step)
        }
        guard let url = self.profile?.url ?? self.application?.profileURL else { return }
        self.request(
            .displayName(name), .patch, url, token: self.token, json: ["nickname": .string(name)], in: &step)
    }

    /// Keeps the name that the service answered with.
    mutating func displayNameAccepted(_ name: String, _ body: [UInt8], in step: inout ClientStep) {
        let said = (try? JSONReader.read(body))?["nickname"]?.string
        self.profile?.nickname = said ?? name
        self.emit(
            .completed, ["value": .string(said ?? name)], callback: "setUserDisplayName", in: &step)
        self.askForRooms(in: &step)
    }

    /// Reports the refusal and goes on under the old name.
    mutating func displayNameRefused(_ error: SDKError, in step: inout ClientStep) {
        self.emit(error, callback: "setUserDisplayName", in: &step)
        self.askForRooms(in: &step)
    }

    /// Remembers whom a restored profile has blocked.
    mutating func blockedIDsArrived(_ body: [UInt8]) {
        guard let value = try? JSONReader.read(body) else { return }
        self.blocked = Set((value["results"]?.array ?? []).prefix(10_000).compactMap { $0.string })
    }
}
