import JSON
import Machines

/// The commands of scripts.
extension BoldChatClient {
    mutating func perform(_ command: Command, in step: inout Step) -> CommandOutcome {
        guard let method = ClientMethod(rawValue: command.name) else {
            return .refused("a BoldChat visitor has no method '\(command.name)'")
        }
        let arguments = command.arguments
        switch method {
        case .createChat:
            let options = CreationOptions(arguments["options"]?.object ?? [:], over: self.settings.creation)
            return self.isSuspended ? .done(.null) : self.create(options, in: &step)
        case .submitPreChat: return self.submit(.preChat, Self.values(arguments), in: &step)
        case .submitPostChat: return self.submit(.postChat, Self.values(arguments), in: &step)
        case .submitUnavailable: return self.submit(.unavailable, Self.values(arguments), in: &step)
        case .say:
            guard self.chat != nil else { return Self.noChat("say") }
            let message = VisitorMessage(id: step.random.decimalDigits(19), text: arguments["text"]?.string ?? "")
            self.feedChat(.say(message), in: &step)
            return .done(.string(message.id))
        case .typing:
            guard self.chat != nil else { return Self.noChat("typing") }
            self.feedChat(.typing(arguments["active"]?.bool ?? true), in: &step)
            return .done(.null)
        case .finish:
            guard self.chat != nil else { return Self.noChat("finish") }
            self.feedChat(.finishRequested, in: &step)
            return .done(.null)
        case .cancelChat:
            guard self.chat != nil else { return Self.noChat("cancel_chat") }
            self.feedChat(.cancelRequested, in: &step)
            return .done(.null)
        case .emailHistory: return self.emailHistory(arguments["address"]?.string ?? "", in: &step)
        case .changeLanguage: return self.changeLanguage(arguments["language"]?.string ?? "", in: &step)
        case .checkAvailability:
            let options = arguments["options"]?.object ?? [:]
            let query = AvailabilityQuery(
                visitorID: options.text("visitor_id") ?? self.record.visitorID,
                departmentID: options.text("department_id"))
            return self.checkAvailability(query, in: &step)
        case .cancelRequest: return self.cancelRequest(arguments["request"]?.integer ?? 0, in: &step)
        case .suspend:
            self.suspend(in: &step)
            return .done(.null)
        case .resume:
            self.resume(in: &step)
            return .done(.null)
        case .sendFile: return self.sendFile(arguments, in: &step)
        case .acceptActiveAssist: return self.answerInvitation(.acceptActiveAssist, arguments, in: &step)
        case .declineActiveAssist: return self.answerInvitation(.declineActiveAssist, arguments, in: &step)
        case .cancelActiveAssist: return self.answerInvitation(.cancelActiveAssist, arguments, in: &step)
        case .acceptRemoteControl: return self.answerInvitation(.acceptRemoteControlSession, arguments, in: &step)
        case .declineRemoteControl:
            let isUnsupported = arguments["unsupported"]?.bool ?? false
            return self.answerInvitation(
                isUnsupported ? .declineRemoteControlSessionForUnsupportedOs : .declineRemoteControlSession, arguments,
                in: &step)
        case .acceptVideo: return self.answerInvitation(.acceptVideoSession, arguments, in: &step)
        case .declineVideo: return self.answerInvitation(.declineVideoSession, arguments, in: &step)
        case .reload: return self.reload(in: &step)
        case .getDepartments: return self.ask(.getDepartments, method.rawValue, in: &step)
        case .getVideoURL:
            return self.refusingExtras("the video session")
                ?? self.ask(.getVendorVideoSessionVisitorUrl, method.rawValue, in: &step)
        case .supportVideo:
            return self.refusingExtras("video") ?? self.ask(.markChatAsVideoSupported, method.rawValue, in: &step)
        case .screenPress:
            return self.press(arguments["control"]?.string ?? "", arguments["value"], in: &step)
        case .screenType: return self.type(arguments["control"]?.string ?? "", arguments["text"]?.string ?? "")
        case .screenHTML: return .done(.string(ScreenModel(self).map { ScreenHTML.draw($0.value) } ?? ""))
        case .endSession:
            if !self.isSuspended { self.endSession(in: &step) }
            return .done(.null)
        }
    }

    private static func noChat(_ method: String) -> CommandOutcome {
        .refused("there is no chat yet: expect \"chat_started\" before \(method)()")
    }

    private static func values(_ arguments: JSONObject) -> [String: String] {
        var values: [String: String] = [:]
        for (key, value) in arguments["values"]?.object ?? [:] { values[key] = CreationOptions.text(value) }
        return values
    }

    /// Drops a request; nothing more is reported of it.
    private mutating func cancelRequest(_ request: Int64, in step: inout Step) -> CommandOutcome {
        guard let number = UInt64(exactly: request) else { return .done(false) }
        for (query, waiting) in self.availability.waiting where waiting.contains(number) && waiting.count > 1 {
            self.availability.waiting[query]?.removeLast()
            return .done(true)
        }
        switch self.calls.cancel(number, in: &step) {
        case .createChat?: _ = self.feedSession(.creationCanceled)
        case .submitPreChat?: _ = self.feedSession(.submitCanceled(.preChat))
        case .submitPostChat?: _ = self.feedSession(.submitCanceled(.postChat))
        case .submitUnavailable?: _ = self.feedSession(.submitCanceled(.unavailable))
        case .availability(let query)?: self.availability.waiting[query] = nil
        case .file(let file, _)?: self.files.remove(file)
        case .some: break
        case nil: return .done(false)
        }
        return .done(true)
    }
}
