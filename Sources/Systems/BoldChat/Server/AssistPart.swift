import JSON
import Machines

/// Browsing together, remote control and video in one chat; what the agent sees of them is defined here.
///
/// | what | state | input | → state | actions |
/// |---|---|---|---|---|
/// | browsing | any | `invited` | offered | tells the visitor |
/// | browsing | offered | accepted | offered | tells the agent |
/// | browsing | offered | declined | none | tells the agent |
/// | browsing | offered | canceled, `inviteEnded` | none | tells the visitor, and the agent who canceled |
/// | control | any | `controlSent` started / ended | offered / none | tells the visitor |
/// | control | offered | accepted / declined | offered / none | tells the agent |
/// | video | any | `videoSet` | that status | tells both |
/// | video | 2 | accepted / declined | 4 / 6 | tells both |
/// | any | | the same answer again | unchanged | |
/// | any | | an answer to what was not offered | unchanged | refuses |
struct AssistPart: Sendable {
    /// What happens in a chat.
    enum Input: Sendable {
        case invited
        case inviteEnded
        case controlSent(RemoteControlCommand)
        case videoSet(Int64)
        /// A visitor has called a method that is about one of the three.
        case called(RESTMethod, JSONObject)
    }

    /// The chat that it is about.
    struct Chat: Sendable {
        let id: String
        let key: String
        let agent: String?
        /// How agents know the chat.
        let fields: JSONObject
    }

    /// The co-browse session that was offered or runs.
    private(set) var activeAssistID: String?
    /// The remote control session that was offered or runs.
    private(set) var remoteControlID: String?
    /// How the video session stands, by the vendor's number.
    private(set) var videoStatus: Int64 = 0
    /// Whether the visitor's browser has said that it can show video.
    private(set) var showsVideo = false
    /// The visitor's last answer to each offer, by the offer's id: who lost what came back answers again in the same
    /// way, and the agent is not told twice.
    private var answers: [String: RESTMethod] = [:]

    /// The status of a video session that an operator has asked for.
    static let askedByOperator: Int64 = 2

    /// What stands for the id of a video session, which has none.
    private static let video = "video"

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, in chat: Chat, at moment: ServerMoment, random: inout RandomSource
    ) -> [ServerAction] {
        switch input {
        case .invited:
            let id = random.decimalDigits(12)
            self.activeAssistID = id
            return [.send("beginActiveAssist", ["ActiveAssistID": .string(id)], to: chat.key)]
        case .inviteEnded: return self.endActiveAssist(chat, moment)
        case .controlSent(let command): return self.sendControl(command, chat, random: &random)
        case .videoSet(let status):
            self.answers[Self.video] = nil
            return self.setVideo(status, chat)
        case .called(let method, let parameters): return self.called(method, parameters, chat, moment)
        }
    }

    private func tell(_ chat: Chat, _ kind: EventKind, _ extra: JSONObject = [:]) -> [ServerAction] {
        chat.agent.map { [.tell($0, kind, chat.fields.merging(extra))] } ?? []
    }

    // MARK: The desk

    private mutating func endActiveAssist(_ chat: Chat, _ moment: ServerMoment) -> [ServerAction] {
        guard let id = self.activeAssistID else {
            return [.answer(.refused("nothing is browsed together in this chat, nor was it offered"))]
        }
        self.activeAssistID = nil
        let values: JSONValue = ["Ended": .string(moment.time)]
        return [.send("updateActiveAssist", ["ActiveAssistID": .string(id), "Values": values], to: chat.key)]
    }

    private mutating func sendControl(
        _ command: RemoteControlCommand, _ chat: Chat, random: inout RandomSource
    ) -> [ServerAction] {
        // The end is that of the session that was offered.
        let id = (command == .ended ? self.remoteControlID : nil) ?? random.decimalDigits(12)
        self.remoteControlID = command == .ended ? nil : id
        let params: JSONObject = [
            "command": .string(command.rawValue), "rcHistoryId": .string(id),
            "vendorUrl": "https://remote.invalid/", "vendorPin": .string(random.decimalDigits(6)),
            "osSupport": ["windows": true, "mac": true, "mobile": false],
        ]
        return [.send("remoteControlMessage", params, to: chat.key)]
    }

    private mutating func setVideo(_ status: Int64, _ chat: Chat) -> [ServerAction] {
        self.videoStatus = status
        let params: JSONObject = ["ChatID": .string(chat.id), "Values": ["VideoSessionStatus": .integer(status)]]
        let place = Int(clamping: status)
        let name = CobrowseEvents.videoStates.indices.contains(place) ? CobrowseEvents.videoStates[place] : "unknown"
        return [.send("updateChat", params, to: chat.key)]
            + self.tell(chat, .videoChanged, ["status": .integer(status), "state": .string(name)])
    }

    // MARK: The visitor

    private mutating func called(
        _ method: RESTMethod, _ parameters: JSONObject, _ chat: Chat, _ moment: ServerMoment
    ) -> [ServerAction] {
        var actions: [ServerAction] = []
        switch method {
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist:
            let id = parameters.text("ActiveAssistID") ?? ""
            if self.answers[id] == method { return [.success()] }
            guard self.activeAssistID == id else { return [.refusal("Invalid ActiveAssistID")] }
            self.answers[id] = method
            actions = self.activeAssistAnswered(method, chat, moment)
        case .acceptRemoteControlSession, .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs:
            let id = parameters.text("RCHistoryID") ?? ""
            if self.answers[id] == method { return [.success()] }
            guard self.remoteControlID == id else { return [.refusal("Invalid RCHistoryID")] }
            self.answers[id] = method
            actions = self.remoteControlAnswered(method, chat)
        case .acceptVideoSession, .declineVideoSession:
            if self.answers[Self.video] == method { return [.success()] }
            guard self.videoStatus == Self.askedByOperator else { return [.refusal("No video session was offered")] }
            self.answers[Self.video] = method
            actions = self.setVideo(method == .acceptVideoSession ? 4 : 6, chat)
        case .getVendorVideoSessionVisitorUrl:
            guard 1...4 ~= self.videoStatus else { return [.refusal("No video session was offered")] }
            return [.success(["URL": .string("https://video.invalid/\(chat.id)")])]
        case .markChatAsVideoSupported: self.showsVideo = true
        default: break
        }
        return actions + [.success()]
    }

    private mutating func activeAssistAnswered(
        _ method: RESTMethod, _ chat: Chat, _ moment: ServerMoment
    ) -> [ServerAction] {
        switch method {
        case .acceptActiveAssist: return self.tell(chat, .cobrowseActive)
        case .declineActiveAssist:
            self.activeAssistID = nil
            return self.tell(chat, .cobrowseRejected)
        default: return self.tell(chat, .cobrowseEnded) + self.endActiveAssist(chat, moment)
        }
    }

    private mutating func remoteControlAnswered(_ method: RESTMethod, _ chat: Chat) -> [ServerAction] {
        let answer: JSONValue =
            switch method {
            case .acceptRemoteControlSession: "accepted"
            case .declineRemoteControlSession: "declined"
            default: "unsupported"
            }
        if method != .acceptRemoteControlSession { self.remoteControlID = nil }
        return self.tell(chat, .remoteControl, ["answer": answer])
    }
}
