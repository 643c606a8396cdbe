import ChatCore
import HTTPTypes
import JSON

/// What the browser generation adds: files, co-browse, remote control, video.
extension BoldChatServer {
    // MARK: Files

    /// Takes one of the three steps of a file transfer.
    ///
    /// - Parameter path: What follows `…/v1/files`.
    mutating func upload(
        _ exchange: ExchangeID, _ path: String, _ request: Request, in step: inout ServerStep
    ) {
        let response: Response
        switch self.faults.take(for: "files") {
        case .status(let code)?: response = Response(text: "broken", status: .init(code: code))
        case .drop?: return step.ask(.drop(exchange))
        default: response = self.fileResponse(path, request, in: &step)
        }
        step.ask(.respond(exchange, response))
    }

    private mutating func fileResponse(_ path: String, _ request: Request, in step: inout ServerStep) -> Response {
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

    private mutating func fileStored(_ token: String, _ request: Request, in step: inout ServerStep) -> Response {
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
        _ method: RESTMethod, _ key: String, _ parameters: JSONObject, in step: inout ServerStep
    ) -> JSONObject {
        guard let chat = self.chats[key], chat.isLive else { return Self.error("Chat has ended") }
        switch method {
        case .acceptActiveAssist: self.tellAgent(chat, .cobrowseActive, parameters, in: &step)
        case .declineActiveAssist: self.tellAgent(chat, .cobrowseRejected, parameters, in: &step)
        case .cancelActiveAssist:
            self.tellAgent(chat, .cobrowseEnded, parameters, in: &step)
            self.endActiveAssist(key, in: &step)
        case .acceptRemoteControlSession: self.tellAgent(chat, .remoteControl, ["answer": "accepted"], in: &step)
        case .declineRemoteControlSession: self.tellAgent(chat, .remoteControl, ["answer": "declined"], in: &step)
        case .declineRemoteControlSessionForUnsupportedOs:
            self.tellAgent(chat, .remoteControl, ["answer": "unsupported"], in: &step)
        case .acceptVideoSession: self.setVideo(key, 4, in: &step)
        case .declineVideoSession: self.setVideo(key, 6, in: &step)
        case .getVendorVideoSessionVisitorUrl:
            return Self.success.merging(["URL": .string("https://video.invalid/\(chat.id)")])
        default: break
        }
        return Self.success
    }

    private func tellAgent(
        _ chat: ChatRecord, _ kind: EventKind, _ extra: JSONObject, in step: inout ServerStep
    ) {
        guard let agent = chat.agent else { return }
        var fields = chat.agentFields
        if let answer = extra["answer"] { fields["answer"] = answer }
        step.ask(.emit(party: agent, ChatEvent(kind, fields)))
    }

    /// Invites the visitor to browse together.
    mutating func inviteActiveAssist(_ key: String, in step: inout ServerStep) {
        let id = step.random.decimalDigits(12)
        self.chats[key]?.activeAssistID = id
        self.send("beginActiveAssist", ["ActiveAssistID": .string(id)], to: key, in: &step)
    }

    /// Ends browsing together.
    mutating func endActiveAssist(_ key: String, in step: inout ServerStep) {
        guard let id = self.chats[key]?.activeAssistID else { return }
        self.chats[key]?.activeAssistID = nil
        let values: JSONValue = ["Ended": .string(self.time(at: step.now))]
        self.send("updateActiveAssist", ["ActiveAssistID": .string(id), "Values": values], to: key, in: &step)
    }

    /// Offers or ends remote control.
    mutating func sendRemoteControl(_ command: String, _ key: String, in step: inout ServerStep) {
        let params: JSONObject = [
            "command": .string(command), "rcHistoryId": .string(step.random.decimalDigits(12)),
            "vendorUrl": "https://remote.invalid/", "vendorPin": .string(step.random.decimalDigits(6)),
            "osSupport": ["windows": true, "mac": true, "mobile": false],
        ]
        self.send("remoteControlMessage", params, to: key, in: &step)
    }

    /// Sets the state of the video session.
    mutating func setVideo(_ key: String, _ status: Int64, in step: inout ServerStep) {
        guard let chat = self.chats[key] else { return }
        let params: JSONObject = ["ChatID": .string(chat.id), "Values": ["VideoSessionStatus": .integer(status)]]
        self.send("updateChat", params, to: key, in: &step)
        guard let agent = chat.agent else { return }
        let place = Int(clamping: status)
        let name = ExtraEvents.videoStates.indices.contains(place) ? ExtraEvents.videoStates[place] : "unknown"
        let fields = chat.agentFields.merging(["status": .integer(status), "state": .string(name)])
        step.ask(.emit(party: agent, ChatEvent(.videoChanged, fields)))
    }
}
