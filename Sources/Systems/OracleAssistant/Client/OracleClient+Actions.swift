import JSON
import Machines

extension OracleClient {
    /// Taps a button.
    ///
    /// - Parameter options: Which of several with the same words, by `card` and `number`.
    mutating func tap(_ label: String, _ options: JSONObject, in step: inout Step) -> CommandOutcome {
        let candidates = self.screen.buttons.filter { button in
            (button.action.label ?? button.action.imageURL) == label
                && (options["card"]?.string.map { $0 == button.card } ?? true)
                && (options["number"]?.integer.map { $0 == button.number } ?? true)
        }
        guard let first = candidates.first else {
            let there = self.screen.buttons.prefix(10).compactMap(\.action.label).map { "\"\($0)\"" }
            return .notOffered(
                "no button \"\(label)\" is on the screen; there \(there.isEmpty ? "is none" : "are " + there.joined(separator: ", "))"
            )
        }
        let usable = candidates.filter { self.obstacle(to: $0) == nil }
        // What the user has not answered yet is meant, if such a button is there at all.
        let current = usable.filter { !$0.isPast }
        let choice = current.isEmpty ? usable : current
        guard let button = choice.first else {
            return .notOffered("the button \"\(label)\" cannot be tapped: \(self.obstacle(to: first) ?? "")")
        }
        // Buttons that do the same are one to a user.
        guard choice.allSatisfy({ $0.action.members == button.action.members }) else {
            return .refused(Self.ambiguity(of: label, among: choice))
        }
        self.carryOut(button.action, number: button.number, in: &step)
        return .done(.null)
    }

    /// Returns what to say of a label that several buttons have.
    private static func ambiguity(of label: String, among buttons: [Screen.Button]) -> String {
        let places = buttons.prefix(10).map { button in
            "{ number = \(button.number)" + (button.card.map { ", card = \"\($0)\"" } ?? "") + " }"
        }
        return "\(buttons.count) buttons are called \"\(label)\"; say which one is meant with one of the options "
            + places.joined(separator: ", ")
    }

    /// Returns why a button cannot be tapped, or nil if it can.
    func obstacle(to button: Screen.Button) -> String? {
        guard let kind = button.action.kind else { return "its type is unknown" }
        if kind.answersSkill, self.connection.status != .open { return "the client is not connected" }
        guard button.isPast else { return nil }
        return switch self.settings.word("disablePastActions") {
        case "none": nil
        case "postback" where !kind.answersSkill: nil
        case let mode: "the user has answered since (disable_past_actions is \(mode ?? "all"))"
        }
    }

    private mutating func carryOut(_ action: MessageAction, number: Int64, in step: inout Step) {
        switch action.kind {
        case .postback: self.sendPostback(action, in: &step)
        case .location: self.shareDevicePlace(in: &step)
        case .submitForm: _ = self.submitForm([:], number: number, action: action, in: &step)
        case .url, .webview:
            _ = self.openLink(
                action.url ?? "", inWebview: action.kind == .webview ? true : nil, fails: false, in: &step)
        case .popup:
            guard let content = action.popupContent else { break }
            let date = self.epochMilliseconds(at: step.now)
            let number = self.screen.append(content, from: .bot, at: date)
            var fields = MessageFields.fields(of: content)
            fields["from"] = "bot"
            fields["number"] = .integer(number)
            fields["popup"] = true
            if case .editForm(let form) = content {
                fields["form"] = .object(MessageFields.editForm(form, number: number))
                self.emit(.form, fields, raw: content.content.json, in: &step)
            } else {
                self.emit(.message, fields, raw: content.content.json, in: &step)
            }
        case .call:
            self.emit(
                .actionPerformed, ["type": "call", "phone_number": .string(action.phoneNumber ?? "")], raw: action.json,
                in: &step)
        case .share: self.emit(.actionPerformed, ["type": "share"], raw: action.json, in: &step)
        case .client:
            self.emit(
                .actionPerformed, ["type": "client", "name": .string(action.clientActionType ?? "")], raw: action.json,
                in: &step)
        case nil: break
        }
    }

    private mutating func sendPostback(_ action: MessageAction, in step: inout Step) {
        var payload: JSONObject = ["type": "postback", "postback": action.postback ?? .null]
        payload["text"] = action.label.map { .string($0) }
        self.send(Outgoing(payload, kind: .postback(action: action.members)), in: &step)
    }

    private mutating func shareDevicePlace(in step: inout Step) {
        switch self.place {
        case .unset: self.fail("LocationNotAvailable", self.words("odais_location_fetch_error"), in: &step)
        case .denied: self.fail("LocationNotAvailable", self.words("odais_location_permission_denied"), in: &step)
        case .disabled: self.fail("LocationNoAPI", self.words("odais_location_disabled"), in: &step)
        case .known(let latitude, let longitude):
            self.sendLocation(latitude, longitude, title: nil, rounds: true, in: &step)
        }
    }

    /// Taps a star of the latest rating.
    mutating func rate(_ stars: Int64, in step: inout Step) -> CommandOutcome {
        let rating = self.screen.items.last { $0.payload.content.channelExtensions.isStarRating }
        guard let rating else { return .notOffered("no rating by stars is on the screen") }
        let actions = rating.payload.content.actions
        guard 1...Int64(max(actions.count, 1)) ~= stars, Int(stars) <= actions.count else {
            return .refused("the rating takes from 1 to \(actions.count) stars, not \(stars)")
        }
        let action = actions[Int(stars) - 1]
        let button = Screen.Button(action: action, number: rating.number, isPast: rating.isPast, place: "local")
        if let obstacle = self.obstacle(to: button) { return .notOffered("the star cannot be tapped: \(obstacle)") }
        self.carryOut(action, number: rating.number, in: &step)
        return .done(.string(AccessibilityLabels(strings: self.settings.strings).star(Int(stars))))
    }

    // MARK: Forms

    /// Returns why a form cannot be used, or nil if it can: as a button that submits it, which it need not have.
    private func obstacle(toFormThatIsPast isPast: Bool, number: Int64, _ submit: MessageAction?) -> String? {
        let action = submit ?? MessageAction(members: ["type": "submitForm"])
        return self.obstacle(to: Screen.Button(action: action, number: number, isPast: isPast, place: "form"))
    }

    /// Checks and submits a form; what is wrong becomes `form_invalid`, and nothing is sent.
    mutating func submitForm(
        _ values: JSONObject, number: Int64?, action: MessageAction? = nil, in step: inout Step
    ) -> CommandOutcome {
        guard let (number, form, isPast) = self.screen.editForm(number) else {
            return .notOffered("no form to fill in is on the screen")
        }
        let submit = action ?? form.submitAction
        if let obstacle = self.obstacle(toFormThatIsPast: isPast, number: number, submit) {
            return .notOffered("the form cannot be submitted: \(obstacle)")
        }
        let entered = (self.drafts[number] ?? [:]).merging(values)
        switch FormEntry(form: form).check(entered) {
        case .problems(let problems):
            let list = problems.map { problem -> JSONValue in
                [
                    "key": .string(problem.key), "reason": .string(problem.reason),
                    "message": .string(problem.message),
                ]
            }
            self.emit(
                .formInvalid,
                [
                    "keys": .array(problems.map { .string($0.key) }), "problems": .array(list),
                    "number": .integer(number),
                ], in: &step)
        case .values(let values):
            self.drafts[number] = nil
            var payload: JSONObject = ["type": "formSubmission", "submittedFields": .object(values)]
            payload["postback"] = submit?.postback
            self.send(Outgoing(payload, kind: .form), in: &step)
        }
        return .done(.null)
    }

    /// Enters one value; a field that submits itself does so.
    mutating func changeField(_ key: String, _ value: JSONValue, in step: inout Step)
        -> CommandOutcome
    {
        guard let (number, form, isPast) = self.screen.editForm(),
            let field = form.form.fields.first(where: { $0.id == key })
        else { return .notOffered("no form with a field \"\(key)\" is on the screen") }
        if let obstacle = self.obstacle(toFormThatIsPast: isPast, number: number, form.submitAction) {
            return .notOffered("the field cannot be changed: \(obstacle)")
        }
        var draft = self.drafts[number] ?? [:]
        draft[key] = value
        self.drafts[number] = draft
        guard field.submitsItself else { return .done(.null) }
        var payload: JSONObject = [
            "type": "formSubmission", "submittedFields": .object(draft), "partialSubmitField": .string(key),
        ]
        payload["postback"] = form.submitAction?.postback
        self.send(Outgoing(payload, kind: .form), in: &step)
        return .done(.null)
    }

    // MARK: Links

    /// Opens a link where the configuration or the action says.
    ///
    /// - Parameter fails: Whether the page shall be one that the webview cannot show.
    mutating func openLink(
        _ url: String, inWebview: Bool? = nil, fails: Bool, in step: inout Step
    ) -> CommandOutcome {
        guard let separator = url.firstRange(of: ":"), separator.lowerBound > url.startIndex,
            !url.contains(where: \.isWhitespace)
        else {
            self.fail(
                "LinkInvalid", self.words("odais_check_url"), ["title": .string(self.words("odais_error"))], in: &step)
            return .done(.null)
        }
        let isWebview = inWebview ?? (self.settings.word("LinkHandler") == "webview")
        var fields: JSONObject = [
            "url": .string(self.downloadURL(url)), "handler": .string(isWebview ? "webview" : "browser"),
        ]
        if isWebview {
            fields["size"] = self.settings.webView("webViewSize")
            fields["title"] = .string(url)
            fields["title_label"] = .string(self.words("odais_access_label_webview_title"))
            fields["close_label"] = .string(self.words("odais_access_label_webview_clear_button"))
            fields["close"] = self.settings.webView("clearButtonLabel") ?? .string(self.words("odais_done"))
            self.page = fields
            if fails {
                let text = self.words("odais_fail_to_load")
                self.fail("LinkNotLoaded", text, ["title": .string(self.words("odais_error"))], in: &step)
            }
        }
        self.emit(.linkOpened, fields, in: &step)
        return .done(.null)
    }
}
