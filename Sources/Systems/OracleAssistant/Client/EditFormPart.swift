import JSON
import Machines

/// The forms that the user fills in (payload `editForm`): checked here, and sent only when they are right.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `submitted`, valid | the form has no draft | sends the values |
/// | any | `submitted`, something wrong | unchanged | `form_invalid` |
/// | any | `changed`, a field that submits itself, to what it takes | the value is in the draft | sends the draft |
/// | any | `changed`, a field that submits itself, to anything else | the value is in the draft | `form_invalid` |
/// | any | `changed`, any other | the value is in the draft | |
/// | any | `submitted`, `changed`, no such form or not usable | unchanged | not offered |
/// | any | `messagesCleared` | no draft | |
struct EditFormPart: Sendable {
    /// What the user does with forms.
    enum Input: Sendable {
        /// The latest form unless a message is named; the action is the tapped one.
        case submitted(JSONObject, number: Int64?, MessageAction?)
        case changed(key: String, JSONValue)
        case messagesCleared
    }

    private let rule: PastActionRule
    /// Values that were not submitted yet, by the number of the message.
    private var drafts: [Int64: JSONObject] = [:]

    /// Creates a part without drafts.
    init(_ settings: ClientSettings) { self.rule = PastActionRule(settings) }

    /// Takes in what happened.
    mutating func handle(_ input: Input, on screen: Screen, isConnected: Bool) -> [ClientAction] {
        switch input {
        case .submitted(let values, let number, let action):
            guard let shown = screen.editForm(number) else { return Self.absent("no form to fill in is on the screen") }
            let submit = action ?? shown.form.submitAction
            if let obstacle = self.obstacle(to: shown, submit, isConnected) {
                return Self.absent("the form cannot be submitted: \(obstacle)")
            }
            return self.submit(shown, values, submit)
        case .changed(let key, let value):
            guard let shown = screen.editForm(), let field = shown.form.form.fields.first(where: { $0.id == key })
            else { return Self.absent("no form with a field \"\(key)\" is on the screen") }
            if let obstacle = self.obstacle(to: shown, shown.form.submitAction, isConnected) {
                return Self.absent("the field cannot be changed: \(obstacle)")
            }
            self.drafts[shown.number, default: [:]][key] = value
            guard field.submitsItself else { return [] }
            // The others may wait for what the skill says to this one.
            if let problem = FormEntry.problem(with: value, in: field) { return [Self.invalid([problem], shown)] }
            let values = FormEntry(form: shown.form).draft(self.drafts[shown.number] ?? [:])
            var payload: JSONObject = [
                "type": "formSubmission", "submittedFields": .object(values), "partialSubmitField": .string(key),
            ]
            payload["postback"] = shown.form.submitAction?.postback
            return [.send(Outgoing(payload, kind: .form))]
        case .messagesCleared:
            self.drafts = [:]
            return []
        }
    }

    private static func absent(_ reason: String) -> [ClientAction] { [.answer(.notOffered(reason))] }

    /// Returns why a form cannot be used, or nil if it can: as a button that submits it, which it need not have.
    private func obstacle(to shown: Screen.EditForm, _ submit: MessageAction?, _ isConnected: Bool) -> String? {
        let action = submit ?? MessageAction(members: ["type": "submitForm"])
        return self.rule.obstacle(to: action, isPast: shown.isPast, isConnected: isConnected)
    }

    /// The event of a form that is not sent.
    private static func invalid(_ problems: [FormEntry.Problem], _ shown: Screen.EditForm) -> ClientAction {
        let list = problems.map { problem -> JSONValue in
            ["key": .string(problem.key), "reason": .string(problem.reason), "message": .string(problem.message)]
        }
        return .emit(
            .formInvalid,
            [
                "keys": .array(problems.map { .string($0.key) }), "problems": .array(list),
                "number": .integer(shown.number),
            ])
    }

    private mutating func submit(
        _ shown: Screen.EditForm, _ values: JSONObject, _ submit: MessageAction?
    ) -> [ClientAction] {
        let entered = (self.drafts[shown.number] ?? [:]).merging(values)
        switch FormEntry(form: shown.form).check(entered) {
        case .problems(let problems): return [Self.invalid(problems, shown)]
        case .values(let values):
            self.drafts[shown.number] = nil
            var payload: JSONObject = ["type": "formSubmission", "submittedFields": .object(values)]
            payload["postback"] = submit?.postback
            return [.send(Outgoing(payload, kind: .form))]
        }
    }
}
