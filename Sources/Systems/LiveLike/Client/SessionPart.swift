import HTTPTypes
import JSON
import Machines

/// The session of a member: application, profile and token, the display name, and whom the member has blocked.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | new | `connectAsked` | starting | asks for the application |
/// | starting | `connectAsked` | starting | |
/// | ready | `connectAsked` | ready | asks for the room |
/// | starting | `applicationArrived` | starting | asks for the profile, the stored or a new one |
/// | starting | `profileArrived` | ready | `session_created`; asks for a new name, or for the rooms |
/// | starting | `failed`, an answer that cannot be read | new | fails the rooms |
/// | ready | `renameAsked` | ready | asks for the name, or an `error` |
/// | ready | `renamed`, `renameRefused` | ready | `completed` or `error`; asks for the rooms |
/// | ready | `heartbeatDue` | ready | the heartbeat, and the timer of the next one |
/// | any | `ended` | new | |
struct SessionPart: Sendable {
    /// How far the bootstrap has come.
    enum State: String, CaseIterable, Sendable {
        case new, starting, ready
    }

    /// What happens to the session.
    enum Input: Sendable {
        case connectAsked(room: String)
        case applicationArrived([UInt8])
        case profileArrived([UInt8])
        case failed(SDKError)
        case blockedArrived([UInt8])
        case renameAsked(String)
        case renamed([UInt8])
        case renameRefused(SDKError)
        case heartbeatDue(channels: [String])
        case ended
    }

    /// At most this many blocked profiles are remembered, because a server says them; defined here.
    private static let blockedLimit = 10_000

    private let options: ClientOptions
    private let origin: WebAddress
    private(set) var state = State.new
    private(set) var application: ApplicationResource?
    private(set) var profile: ProfileResource?
    private(set) var token: String?
    private(set) var blocked: Set<String> = []

    /// Creates a session that has asked for nothing.
    init(_ options: ClientOptions, origin: WebAddress) {
        self.options = options
        self.origin = origin
        self.token = options.identity.accessToken
    }

    /// How the server knows the member.
    var identity: JSONObject {
        var fields: JSONObject = [:]
        fields["profile_id"] = self.profile.map { .string($0.id) }
        fields["nickname"] = self.profile.map { .string($0.nickname) }
        fields["access_token"] = self.token.map { .string($0) }
        return fields
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [MemberAction] {
        switch input {
        case .connectAsked(let room):
            guard self.state == .new else { return self.state == .ready ? [.askForRoom(room)] : [] }
            self.state = .starting
            let path = "/api/v1/applications/\(FormEncoding.percentEncode(self.options.clientID))/"
            return [.ask(.application, self.request(.get, self.origin.at(path: path), isAuthorized: false))]
        case .applicationArrived(let body): return self.applicationArrived(body)
        case .profileArrived(let body): return self.profileArrived(body)
        case .failed(let error): return self.failed(error)
        case .blockedArrived(let body):
            return self.answer("") { part throws(SDKError) in
                let ids = try SDKError.reading("the list of blocked profiles", body) { value throws(Misreading) in
                    try MemberRule.check(value.object ?? [:], [.needs("results", .list)])
                    return value["results"]?.array ?? []
                }
                part.blocked = Set(ids.prefix(Self.blockedLimit).compactMap(\.string))
                return []
            }
        case .renameAsked(let name): return self.rename(name)
        case .renamed(let body):
            let renamed = self.answer("setUserDisplayName") { part throws(SDKError) in
                let name = try SDKError.reading("the answer to the new name", body) { value throws(Misreading) in
                    try MemberRule.check(value.object ?? [:], [.needs("nickname", .text)])
                    return value["nickname"]?.string ?? ""
                }
                part.profile?.nickname = name
                return [.emit(MemberEvent(.completed, ["value": .string(name)], callback: "setUserDisplayName"))]
            }
            return renamed + [.askForRooms]
        case .renameRefused(let error):
            return [.emit(MemberEvent(error, callback: "setUserDisplayName")), .askForRooms]
        case .heartbeatDue(let channels):
            guard let timer = self.heartbeatTimer else { return [] }
            return self.presence(.heartbeat, channels: channels) + [timer]
        case .ended:
            self.state = .new
            return []
        }
    }

    /// Takes in an answer; one that cannot be read is an error of its call.
    private mutating func answer(
        _ callback: String, _ take: (inout SessionPart) throws(SDKError) -> [MemberAction]
    ) -> [MemberAction] {
        do throws(SDKError) { return try take(&self) } catch { return [.emit(MemberEvent(error, callback: callback))] }
    }

    // MARK: Bootstrap

    private mutating func applicationArrived(_ body: [UInt8]) -> [MemberAction] {
        let application: ApplicationResource
        do throws(SDKError) {
            application = try SDKError.reading("the application resource", body) { value throws(Misreading) in
                try ApplicationResource(value, origin: self.origin)
            }
        } catch { return self.failed(error) }
        self.application = application
        if self.token != nil { return [.ask(.profile, self.request(.get, application.profileURL))] }
        return [.ask(.profile, self.request(.post, application.profileURL, json: [:]))]
    }

    private mutating func profileArrived(_ body: [UInt8]) -> [MemberAction] {
        let profile: ProfileResource
        do throws(SDKError) {
            profile = try SDKError.reading("the profile resource", body) { value throws(Misreading) in
                try ProfileResource(value)
            }
        } catch { return self.failed(error) }
        guard let token = profile.accessToken ?? self.token else {
            return self.failed(
                .unreadable("the profile resource", Misreading("it has no access_token that can be sent")))
        }
        let hadToken = self.token != nil
        self.token = token
        self.profile = profile
        self.state = .ready
        let fields: JSONObject = [
            "profile_id": .string(profile.id), "nickname": .string(profile.nickname),
            "access_token": .string(token), "restored": .bool(hadToken),
        ]
        var actions: [MemberAction] = [
            .emit(MemberEvent(.sessionCreated, fields, callback: "accessTokenStorage"))
        ]
        // A new profile has blocked nobody.
        if hadToken, let url = profile.blockedIDsURL { actions.append(.ask(.blockedIDs, self.request(.get, url))) }
        if let timer = self.heartbeatTimer { actions.append(timer) }
        if let name = self.options.identity.nickname, name != profile.nickname { return actions + self.rename(name) }
        return actions + [.askForRooms]
    }

    /// Fails all rooms that wait; the next `connect` starts anew.
    private mutating func failed(_ error: SDKError) -> [MemberAction] {
        self.state = .new
        return [.failRooms(error)]
    }

    private func rename(_ name: String) -> [MemberAction] {
        guard 1...20 ~= name.count else {
            return [.emit(MemberEvent(.nameLength, callback: "setUserDisplayName")), .askForRooms]
        }
        guard let url = self.profile?.url ?? self.application?.profileURL else { return [] }
        return [.ask(.displayName, self.request(.patch, url, json: ["nickname": .string(name)]))]
    }

    // MARK: Blocks

    /// Remembers a blocked sender.
    mutating func block(_ profile: String) {
        if self.blocked.count < Self.blockedLimit, profile != self.profile?.id { self.blocked.insert(profile) }
    }

    /// Forgets a blocked sender.
    mutating func unblock(_ profile: String) { self.blocked.remove(profile) }

    // MARK: Requests

    /// A request as this member makes it.
    func request(
        _ method: HTTPRequest.Method, _ url: WebAddress, json: JSONValue? = nil, isAuthorized: Bool = true
    ) -> Request {
        var request = Request(url.request(method, token: isAuthorized ? self.token : nil))
        if let json {
            request.head.headerFields[.contentType] = "application/json"
            request.body = JSONWriter.write(json)
        }
        return request
    }

    /// A path on the message carrier.
    func carrierURL(_ path: String) -> WebAddress? { self.application?.pubNub.at(path: path) }

    /// Who asks, as the message carrier wants to know with every call.
    var carrierParameters: [(String, String?)] {
        guard let application, application.publishKey != nil else { return [] }
        return [("uuid", self.profile?.id), ("auth", self.token)]
    }

    /// What a member tells the carrier's presence.
    enum Presence: String, Sendable {
        case heartbeat, leave
    }

    /// Tells the carrier's presence that this member is there or leaves.
    func presence(_ presence: Presence, channels: [String]) -> [MemberAction] {
        guard let key = self.application?.subscribeKey, !channels.isEmpty else { return [] }
        let list = channels.map(FormEncoding.percentEncode).joined(separator: ",")
        let path = "/v2/presence/sub-key/\(FormEncoding.percentEncode(key))/channel/\(list)/\(presence.rawValue)"
        guard let url = self.carrierURL(path) else { return [] }
        let timeout = presence == .heartbeat ? self.application?.presenceTimeout.map(String.init) : nil
        let asked = url.with(self.carrierParameters + [("heartbeat", timeout)])
        return [.ask(.presence, self.request(.get, asked, isAuthorized: false))]
    }

    /// What the subscribe loop listens to: channels of rooms, and the profile's own; nil before there is a profile.
    func listening(to channels: [String]) -> SubscribePart.Input? {
        guard let application, let profile else { return nil }
        var parameters = self.carrierParameters.compactMap { pair in pair.1.map { (pair.0, $0) } }
        parameters.append(("pnsdk", "repartee"))
        if let timeout = application.presenceTimeout { parameters.append(("heartbeat", String(timeout))) }
        if !self.options.includesFiltered {
            parameters.append(("filter-expr", self.options.platform.filterExpression(profile.id)))
        }
        return .channelsChanged(
            channels + (profile.channel.map { [$0] } ?? []), subscribeKey: application.subscribeKey,
            parameters: parameters)
    }

    private var heartbeatTimer: MemberAction? {
        guard let interval = self.application?.heartbeatInterval, interval > 0 else { return nil }
        return .setTimer(.heartbeat, .seconds(min(interval, 3600)))
    }
}
