import JSON
import Machines

/// What the browser generation adds: files, co-browse, remote control, video.
extension BoldChatClient {
    // MARK: Files

    /// Begins to send a file.
    mutating func sendFile(
        _ name: String, _ content: String, type: String, in step: inout Step
    ) -> CommandOutcome {
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
        let content = Array(content.utf8)
        guard content.count <= FileTransfer.sizeLimit else {
            return .refused("the file has \(content.count) bytes; at most \(FileTransfer.sizeLimit) can be sent")
        }
        let file = FileTransfer.File(name: name, mediaType: type, content: content)
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
        _ number: UInt64, _ stage: FileTransfer.Stage, _ outcome: CallOutcome, in step: inout Step
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
    ///
    /// - Parameter id: The session's; that of the last invitation unless given.
    mutating func answerInvitation(_ method: RESTMethod, id: String?, in step: inout Step) -> CommandOutcome {
        if let refusal = self.refusingExtras("invitations to browse together, remote control and video") {
            return refusal
        }
        guard let chat = self.chat, self.session.state == .chatting else {
            self.fail(.wrongState, .session, operation: method.rawValue, in: &step)
            return .done(.null)
        }
        var params: JSONObject = [
            "ChatKey": .string(self.record.chatKey ?? ""), "ClientID": .string(chat.clientID),
        ]
        switch method {
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist:
            params["ActiveAssistID"] = .string(id ?? chat.conversation.activeAssistID ?? "")
        case .acceptRemoteControlSession, .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs:
            params["RCHistoryID"] = .string(id ?? chat.conversation.remoteControlID ?? "")
        default: break
        }
        self.feedLink(.send(OutgoingCall(.other(method.rawValue), method: method, params: params)), in: &step)
        return .done(.null)
    }

    /// Returns the refusal of a client that does not know what only the browser window knows.
    func refusingExtras(_ what: String) -> CommandOutcome? {
        guard !self.settings.profile.knowsExtras else { return nil }
        return .refused("only the browser window knows \(what); give the actor profile = \"html\"")
    }

    // MARK: Questions

    /// Asks the server something whose answer is an event of its own.
    mutating func ask(_ method: RESTMethod, _ operation: String, in step: inout Step) -> CommandOutcome {
        var parameters: [(String, String)] = []
        if let key = self.record.chatKey { parameters.append(("ChatKey", key)) }
        return .done(.integer(Int64(self.call(.inquiry(operation), method, parameters, in: &step))))
    }

    /// Takes in the answer to a question.
    mutating func inquiryEnded(_ operation: String, _ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            return self.fail(outcome, .session, operation: operation, in: &step)
        }
        var members = answer.members
        members["Status"] = nil
        let fields: JSONObject = ["operation": .string(operation), "value": .object(members)]
        self.emit(ChatEvent(.completed, fields, raw: answer.body), in: &step)
    }

    // MARK: Reload

    /// Loads the page again: the window forgets everything but its key and its messages, and comes back.
    mutating func reload(in step: inout Step) -> CommandOutcome {
        guard self.settings.profile == .html else {
            return .refused("only the browser window can be loaded again; give the actor profile = \"html\"")
        }
        guard self.session.state == .chatting, let key = self.record.chatKey else {
            return .refused("there is no chat to come back to: expect \"chat_started\" before reload()")
        }
        self.calls.cancelAll({ _ in true }, in: &step)
        step.ask(.cancelTimer(.answer))
        self.feedLink(.stopped, in: &step)
        self.call(.resolveKey, .resolveChatKey, [("ChatKey", key)], in: &step)
        return .done(.null)
    }

    /// Takes in whether the chat can go on.
    mutating func keyResolved(_ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            return self.fail(outcome, .session, operation: "reload", in: &step)
        }
        guard answer.members.truth("Startable"), !answer.members.truth("Ended") else {
            let decision = self.feedSession(.chatFinished(hasPostChat: false))
            self.record.chatEnd = (.undefined, nil)
            return self.conclude(decision, raw: answer.body, in: &step)
        }
        let last = self.chat?.lastChatMessageID ?? 0
        let parameters = [
            ("ChatKey", answer.members.text("ChatKey") ?? self.record.chatKey ?? ""),
            // The window says −1 where the iOS engine says 0.
            ("LastChatMessageID", String(last == 0 ? -1 : last)), ("IncludeBrandingValues", "true"),
        ]
        self.call(.resumeChat, .startChat, parameters, in: &step)
    }

    /// Takes in the connection data of a chat that goes on.
    mutating func resumed(_ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            return self.emit(
                ClientEvents.error(
                    .chatStartFailed, .chat, operation: "reload", message: outcome.message, raw: outcome.answer?.body),
                in: &step)
        }
        self.record.branding = answer.brandings ?? self.record.branding
        self.chat = ChatStateMachine(
            ChatConnection(answer.members), profile: self.settings.profile, quirks: self.settings.quirks,
            conversation: self.chat?.conversation ?? Conversation())
        let fields = self.identity.merging(["after_pre_chat": false])
        self.emit(ChatEvent(.chatStarted, fields, raw: answer.body), in: &step)
        self.startPinging(in: &step)
        self.feedChat(.started, in: &step)
    }
}
