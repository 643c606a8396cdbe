import JSON
import Machines

/// The commands of scripts.
extension BoldChatClient {
    static var commands: CommandSet<VisitorCommand> { ClientVocabulary.commands }

    mutating func perform(_ command: VisitorCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .createChat(let options):
            let options = CreationOptions(options ?? [:], over: self.settings.creation)
            return self.isSuspended ? .done(.null) : self.create(options, in: &step)
        case .submit(let kind, let values): return self.submit(kind, Self.texts(values), in: &step)
        case .say(let text):
            guard self.chat != nil else { return Self.noChat("say") }
            let message = VisitorMessage(id: step.random.decimalDigits(19), text: text)
            self.feedChat(.say(message), in: &step)
            return .done(.string(message.id))
        case .typing(let isActive):
            guard self.chat != nil else { return Self.noChat("typing") }
            self.feedChat(.typing(isActive), in: &step)
        case .finish:
            guard self.chat != nil else { return Self.noChat("finish") }
            self.feedChat(.finishRequested, in: &step)
        case .cancelChat:
            guard self.chat != nil else { return Self.noChat("cancel_chat") }
            self.feedChat(.cancelRequested, in: &step)
        case .emailHistory(let address): return self.emailHistory(address, in: &step)
        case .changeLanguage(let language): return self.changeLanguage(language, in: &step)
        case .checkAvailability(let options):
            let query = AvailabilityQuery(
                visitorID: options?.text("visitor_id") ?? self.record.visitorID,
                departmentID: options?.text("department_id"))
            return self.checkAvailability(query, in: &step)
        case .cancelRequest(let number): return self.cancelRequest(number, in: &step)
        case .suspend: self.suspend(in: &step)
        case .resume: self.resume(in: &step)
        case .sendFile(let name, let content, let type):
            return self.sendFile(name, content, type: type ?? "text/plain", in: &step)
        case .answerInvitation(let method, let id): return self.answerInvitation(method, id: id, in: &step)
        case .reload: return self.reload(in: &step)
        case .ask(let method, let operation, let extra):
            if let extra, let refusal = self.refusingExtras(extra) { return refusal }
            return self.ask(method, operation, in: &step)
        case .press(let control, let value): return self.press(control, value, in: &step)
        case .type(let control, let text): return self.type(control, text)
        case .screenHTML: return .done(.string(ScreenModel(self).map { ScreenHTML.draw($0.value) } ?? ""))
        case .endSession: if !self.isSuspended { self.endSession(in: &step) }
        }
        return .done(.null)
    }

    private static func noChat(_ method: String) -> CommandOutcome {
        .refused("there is no chat yet: expect \"chat_started\" before \(method)()")
    }

    private static func texts(_ values: JSONObject) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in values { texts[key] = CreationOptions.text(value) }
        return texts
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
