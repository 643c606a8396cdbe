import HTTPTypes
import JSON
import Machines

/// What the browser generation adds: files, co-browse, remote control, video.
extension BoldChatServer {
    // MARK: Files

    /// Takes one of the three steps of a file transfer.
    ///
    /// - Parameter path: What follows `…/v1/files`.
    mutating func upload(
        _ exchange: ExchangeID, _ path: String, _ request: Request, in step: inout Step
    ) {
        let fault = self.faults.take(for: "files")
        if case .message(let message)? = fault {
            // Here the HTTP status tells a failure, not a member of the body.
            return step.ask(.respond(exchange, Response(json: .object(Self.error(message)), status: .badRequest)))
        }
        self.respond(exchange, self.fileResponse(path, request, in: &step), spoiltBy: fault, in: &step)
    }

    private mutating func fileResponse(_ path: String, _ request: Request, in step: inout Step) -> Response {
        guard path.isEmpty else { return self.fileStored(String(path.dropFirst()), request, in: &step) }
        let members = (try? JSONReader.read(request.body))?.object ?? [:]
        guard let chatID = members.text("chatId"), let name = members.text("fileName"),
            let key = self.chats.values.first(where: { $0.id == chatID })?.key, self.chats[key]?.isLive == true,
            self.chats[key]?.clientID == members.text("clientId")
        else { return Response(text: "Bad Request", status: .badRequest) }
        guard self.account.windowSettings.truth("EnableFileTransfer"), (self.chats[key]?.files.count ?? 0) < 1000 else {
            return Response(text: "Forbidden", status: .forbidden)
        }
        let token = step.random.hexadecimalDigits(32)
        self.chats[key]?.files[token] = name
        let account = FormEncoding.percentEncode(self.account.key.accountID)
        let url =
            "\(self.origin.scheme)://\(self.origin.authority)/aid/\(account)/account-id/\(account)/v1/files/\(token)"
        return Response(json: ["token": .string(token), "uploadUrl": .string(url)])
    }

    private mutating func fileStored(_ token: String, _ request: Request, in step: inout Step) -> Response {
        guard let chat = self.chats.values.first(where: { $0.files[token] != nil }), let name = chat.files[token] else {
            return Response(text: "Not Found", status: .notFound)
        }
        guard request.head.method == .put else { return Response(json: ["token": .string(token)]) }
        self.chats[chat.key]?.files[token] = nil
        if let agent = chat.agent {
            let fields = chat.agentFields.merging(["file": .string(name), "token": .string(token)])
            step.ask(.emit(party: agent, ChatEvent(.attachmentUploaded, fields)))
        }
        return Response(json: ["token": .string(token)])
    }

    // MARK: Co-browse, remote control, video

    /// Answers the methods of co-browse, remote control and video; what the agent sees is defined here.
    mutating func extra(
        _ method: RESTMethod, _ key: String, _ parameters: JSONObject, in step: inout Step
    ) -> JSONObject {
        guard let chat = self.chats[key], chat.isLive else { return Self.error("Chat has ended") }
        switch method {
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist:
            guard let id = chat.activeAssistID, parameters.text("ActiveAssistID") == id else {
                return Self.error("Invalid ActiveAssistID")
            }
            self.activeAssistAnswered(method, chat, in: &step)
        case .acceptRemoteControlSession, .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs:
            guard let id = chat.remoteControlID, parameters.text("RCHistoryID") == id else {
                return Self.error("Invalid RCHistoryID")
            }
            self.remoteControlAnswered(method, chat, in: &step)
        case .acceptVideoSession, .declineVideoSession:
            // 2: an operator has asked.
            guard chat.videoStatus == 2 else { return Self.error("No video session was offered") }
            self.setVideo(key, method == .acceptVideoSession ? 4 : 6, in: &step)
        case .getVendorVideoSessionVisitorUrl:
            guard 1...4 ~= chat.videoStatus else { return Self.error("No video session was offered") }
            return Self.success.merging(["URL": .string("https://video.invalid/\(chat.id)")])
        case .markChatAsVideoSupported: self.chats[key]?.showsVideo = true
        default: break
        }
        return Self.success
    }

    private mutating func activeAssistAnswered(
        _ method: RESTMethod, _ chat: ChatRecord, in step: inout Step
    ) {
        switch method {
        case .acceptActiveAssist: self.tellAgent(chat, .cobrowseActive, in: &step)
        case .declineActiveAssist:
            self.chats[chat.key]?.activeAssistID = nil
            self.tellAgent(chat, .cobrowseRejected, in: &step)
        default:
            self.tellAgent(chat, .cobrowseEnded, in: &step)
            self.endActiveAssist(chat.key, in: &step)
        }
    }

    private mutating func remoteControlAnswered(
        _ method: RESTMethod, _ chat: ChatRecord, in step: inout Step
    ) {
        switch method {
        case .acceptRemoteControlSession: self.tellAgent(chat, .remoteControl, ["answer": "accepted"], in: &step)
        case .declineRemoteControlSession: self.tellAgent(chat, .remoteControl, ["answer": "declined"], in: &step)
        default: self.tellAgent(chat, .remoteControl, ["answer": "unsupported"], in: &step)
        }
        if method != .acceptRemoteControlSession { self.chats[chat.key]?.remoteControlID = nil }
    }

    private func tellAgent(
        _ chat: ChatRecord, _ kind: EventKind, _ extra: JSONObject = [:], in step: inout Step
    ) {
        guard let agent = chat.agent else { return }
        step.ask(.emit(party: agent, ChatEvent(kind, chat.agentFields.merging(extra))))
    }

    /// Invites the visitor to browse together.
    mutating func inviteActiveAssist(_ key: String, in step: inout Step) {
        let id = step.random.decimalDigits(12)
        self.chats[key]?.activeAssistID = id
        self.send("beginActiveAssist", ["ActiveAssistID": .string(id)], to: key, in: &step)
    }

    /// Ends browsing together.
    mutating func endActiveAssist(_ key: String, in step: inout Step) {
        guard let id = self.chats[key]?.activeAssistID else { return }
        self.chats[key]?.activeAssistID = nil
        let values: JSONValue = ["Ended": .string(self.time(at: step.now))]
        self.send("updateActiveAssist", ["ActiveAssistID": .string(id), "Values": values], to: key, in: &step)
    }

    /// Offers or ends remote control.
    mutating func sendRemoteControl(_ command: String, _ key: String, in step: inout Step) {
        // The end is that of the session that was offered.
        let id = (command == "ended" ? self.chats[key]?.remoteControlID : nil) ?? step.random.decimalDigits(12)
        self.chats[key]?.remoteControlID = command == "ended" ? nil : id
        let params: JSONObject = [
            "command": .string(command), "rcHistoryId": .string(id),
            "vendorUrl": "https://remote.invalid/", "vendorPin": .string(step.random.decimalDigits(6)),
            "osSupport": ["windows": true, "mac": true, "mobile": false],
        ]
        self.send("remoteControlMessage", params, to: key, in: &step)
    }

    /// Sets the state of the video session.
    mutating func setVideo(_ key: String, _ status: Int64, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        self.chats[key]?.videoStatus = status
        let params: JSONObject = ["ChatID": .string(chat.id), "Values": ["VideoSessionStatus": .integer(status)]]
        self.send("updateChat", params, to: key, in: &step)
        guard let agent = chat.agent else { return }
        let place = Int(clamping: status)
        let name = ExtraEvents.videoStates.indices.contains(place) ? ExtraEvents.videoStates[place] : "unknown"
        let fields = chat.agentFields.merging(["status": .integer(status), "state": .string(name)])
        step.ask(.emit(party: agent, ChatEvent(.videoChanged, fields)))
    }
}
