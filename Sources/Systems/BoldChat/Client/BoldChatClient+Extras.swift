import ChatCore
import JSON

/// What the browser generation adds: files, co-browse, remote control, video.
extension BoldChatClient {
    // MARK: Files

    /// Begins to send a file.
    mutating func sendFile(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard self.chat != nil, self.session.state == .chatting else {
            self.fail(.wrongState, .session, operation: "send_file", in: &step)
            return .done(.null)
        }
        guard self.record.windowSettings.truth("EnableFileTransfer") else {
            self.emit(
                ClientEvents.error(
                    .unknown, .session, operation: "send_file", message: "the account does not allow file transfers"),
                in: &step)
            return .done(.null)
        }
        let content = Array((arguments["content"]?.string ?? "").utf8)
        guard content.count <= FileTransfer.sizeLimit else {
            return .refused("the file has \(content.count) bytes; at most \(FileTransfer.sizeLimit) can be sent")
        }
        let file = FileTransfer.File(
            name: arguments["name"]?.string ?? "file", mediaType: arguments["type"]?.string ?? "text/plain",
            content: content)
        let number = self.files.add(file)
        let identity: JSONObject = [
            "chatId": .string(self.record.chatID ?? ""), "personId": .string(self.record.visitorID),
            "clientId": .string(self.chat?.clientID ?? ""), "accountId": .string(self.settings.key.accountID),
        ]
        let request = self.files.announcement(
            number, identity, to: self.settings.uploadOrigin, account: self.settings.key.accountID)
        guard let request else { return .done(.null) }
        let call = self.calls.start(.file(number, .announcing), request, limit: .seconds(30), in: &step)
        return .done(.integer(Int64(call)))
    }

    /// Takes in the answer of a step of a file transfer.
    mutating func fileEnded(
        _ number: UInt64, _ stage: FileTransfer.Stage, _ outcome: CallOutcome, in step: inout ClientStep
    ) {
        let action = self.files.answered(
            number, stage, outcome, to: self.settings.uploadOrigin, account: self.settings.key.accountID,
            random: &step.random)
        switch action {
        case .call(let next, let request):
            _ = self.calls.start(.file(number, next), request, limit: .seconds(30), in: &step)
        case .emit(let event): self.emit(event, in: &step)
        case nil: break
        }
    }

    // MARK: Co-browse, remote control, video

    /// Answers an invitation, over the event stream.
    mutating func answerInvitation(_ method: RESTMethod, _ arguments: JSONObject, in step: inout ClientStep)
        -> CommandOutcome
    {
        guard let chat = self.chat, self.session.state == .chatting else {
            self.fail(.wrongState, .session, operation: method.rawValue, in: &step)
            return .done(.null)
        }
        var params: JSONObject = [
            "ChatKey": .string(self.record.chatKey ?? ""), "ClientID": .string(chat.clientID),
        ]
        switch method {
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist:
            params["ActiveAssistID"] = .string(arguments["id"]?.string ?? chat.conversation.activeAssistID ?? "")
        case .acceptRemoteControlSession, .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs:
            params["RCHistoryID"] = .string(arguments["id"]?.string ?? chat.conversation.remoteControlID ?? "")
        default: break
        }
        self.feedLink(.send(OutgoingCall(.other(method.rawValue), method: method, params: params)), in: &step)
        return .done(.null)
    }
}
