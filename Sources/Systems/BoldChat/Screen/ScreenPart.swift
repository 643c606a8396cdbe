import JSON
import Machines

/// What a person has done on the screen and not sent yet.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | another form or page than before is there | its cells as they were sent, no picker open | |
/// | any | `pressed` a selection | its picker open; closed if it was open | |
/// | any | `pressed` another cell | no picker open | |
/// | any | `pressed` with a value, or `typed` | the value in the cell; another field's picker closed | |
/// | any | `pressed` the button of a form | wrong cells are marked | submits |
/// | any | `pressed` the send button, something in the input | input empty | says it |
/// | any | `pressed` what ends or leaves the chat | unchanged | does so |
/// | any | `pressed` the transcript's button | the alert that asks for an address is open | |
/// | alert open | `typed` an address, `pressed` a button of the alert | the address in it; closed | asks for the transcript |
/// | any | anything that is not shown | unchanged | refused |
/// | any | `errorShown` | the error view, or another one | |
struct ScreenPart: Hashable, Sendable {
    /// What happens on the screen.
    enum Input: Sendable {
        /// A button is pressed or a cell tapped; the value is what a person then chooses or enters.
        case pressed(String, JSONValue?)
        /// Something is typed into the chat's input or into a cell.
        case typed(String, String)
        /// The error view has a text, or is hidden.
        case errorShown(String?)
    }

    /// What a person has entered into a form.
    struct Entries: Hashable, Sendable {
        /// What stands in the cells, where it differs from what the form began with.
        var values: [String: String] = [:]
        /// Whether somebody has tried to submit, so that missing cells are marked.
        var hasAttempted = false
        /// The field whose picker is open.
        var openPicker: String?
    }

    /// The number of the form, or of its page, that the entries belong to.
    private var formNumber = 0
    private var entries = Entries()
    /// What stands in the input of the chat.
    private(set) var input = ""
    /// What the error view says, while it is shown.
    private(set) var error: String?

    /// What stands in the alert that asks where the transcript goes; nil while it is closed.
    private(set) var emailAlert: String?

    /// What has been entered into the form that a client has before it; nothing of a form before.
    func entries(of client: ClientView) -> Entries {
        client.record.formNumber == self.formNumber ? self.entries : Entries()
    }

    /// Takes in what happened on the screen of a client.
    mutating func handle(_ input: Input, of client: ClientView) -> [ClientAction] {
        self.entries = self.entries(of: client)
        self.formNumber = client.record.formNumber
        switch input {
        case .errorShown(let text):
            self.error = text
            return []
        case .pressed(let name, let value):
            guard let view = ScreenView(client) else { return Self.noScreen }
            let shown = ShownControls(client, view)
            guard !shown.isCovered else { return Self.covered }
            return self.press(name, value, in: view, shown, client)
        case .typed(let name, let text):
            guard let view = ScreenView(client) else { return Self.noScreen }
            let shown = ShownControls(client, view)
            guard !shown.isCovered else { return Self.covered }
            return self.type(name, text, in: view, shown, client)
        }
    }

    private static let noScreen = [ClientAction.answer(.refused("there is no screen before create_chat()"))]

    private static let covered = [
        ClientAction.answer(
            .refused("the loading view covers the screen; expect the event that ends the request first"))
    ]

    /// Refuses what is not there, with the reason.
    private static func notShown(
        _ name: String, _ view: ScreenView, _ shown: ShownControls, _ client: ClientView
    ) -> [ClientAction] {
        let settings = client.settings.view
        if let control = ScreenControl(name), let place = control.place,
            !settings.connects(place.outlet, of: place.template)
        {
            return [.answer(.refused("\(control.rawValue) is not connected in this screen's template"))]
        }
        if ScreenControl(name) == .cancelChatButton, view == .chat {
            let refusal = "cancelChatButton is shown only in a queue that offers an unavailable form"
            return [.answer(.notOffered(refusal))]
        }
        let hint = TextDistance.hint(name, among: shown.names)
        return [.answer(.notOffered("\(name) is not on the \(view.rawValue) view, which is visible now\(hint)"))]
    }

    // MARK: Buttons

    private mutating func press(
        _ name: String, _ value: JSONValue?, in view: ScreenView, _ shown: ShownControls, _ client: ClientView
    ) -> [ClientAction] {
        guard let control = ScreenControl(name) else {
            guard let cell = shown.cell(name) else { return Self.notShown(name, view, shown, client) }
            return self.tap(cell, value)
        }
        guard shown.controls.contains(control) else { return Self.notShown(name, view, shown, client) }
        if name.hasPrefix(ScreenControl.endChatAction), !client.settings.view.connectsEndChat {
            let refusal =
                "the vendor's template does not connect endChatPressed; press endChatButton, or give the actor "
                + "connect_end_chat_pressed = true"
            return [.answer(.refused(refusal))]
        }
        if let action = control.externalAction { return [.emit(.actionPerformed, ["action": .string(action)])] }
        return self.press(control, value, in: view)
    }

    private mutating func press(
        _ control: ScreenControl, _ value: JSONValue?, in view: ScreenView
    ) -> [ClientAction] {
        switch control {
        case .button:
            guard let kind = view.form else { return [] }
            self.entries.hasAttempted = true
            return [.submit(kind, self.entries.values)]
        case .sendButton:
            guard !self.input.isEmpty else { return [] }
            defer { self.input = "" }
            return [.command(.say(self.input))]
        case .endChatButton: return [.command(.finish)]
        case .emailChatHistoryButton:
            // With an address the alert is answered at once.
            guard let address = value?.string else {
                self.emailAlert = ""
                return []
            }
            return [.command(.emailHistory(address: address))]
        case .emailAlertSend:
            defer { self.emailAlert = nil }
            return [.command(.emailHistory(address: self.emailAlert ?? ""))]
        case .emailAlertCancel: self.emailAlert = nil
        case .cancelChatButton: return [.command(.cancelChat)]
        case .inputTextView, .emailAlert, .mainExternalActionButton, .endExternalActionButton,
            .errorExternalActionButton, .chatExternalActionButton:
            break
        }
        return []
    }

    // MARK: Cells

    private mutating func tap(_ cell: ShownControls.Cell, _ value: JSONValue?) -> [ClientAction] {
        let key = cell.field.key
        let isSelection = cell.kind == .selection
        guard let text = value.flatMap(CreationOptions.text) else {
            // A tap on a selection opens its picker or closes it, one on any other cell closes the one that is open.
            self.entries.openPicker = isSelection && self.entries.openPicker != key ? key : nil
            return []
        }
        guard cell.takesValues else { return Self.takesNothing(cell) }
        switch cell.kind {
        case .selection: return self.choose(text, of: cell.field)
        case .rating where !text.isEmpty && !FormRules.stars.contains(text):
            return [.answer(.notOffered("'\(key)' has one to five stars; there is no star '\(text)'"))]
        default: return self.enter(text, into: key)
        }
    }

    private mutating func choose(_ text: String, of field: FormField) -> [ClientAction] {
        guard self.entries.openPicker == field.key else {
            let refusal = "the picker of '\(field.key)' is closed; press '\(field.key)' without a value to open it"
            return [.answer(.refused(refusal))]
        }
        guard let option = field.options.first(where: { $0.value == text || $0.name == text }) else {
            return [.answer(.notOffered("'\(text)' is not an option of '\(field.key)'"))]
        }
        return self.enter(option.value, into: field.key)
    }

    private static func takesNothing(_ cell: ShownControls.Cell) -> [ClientAction] {
        let outlet = cell.kind == .selection ? ScreenOutlet.pickerView : cell.kind.inputOutlet
        return [
            .answer(
                .refused(
                    "'\(cell.field.key)' takes nothing: \(outlet.rawValue) is not connected in this screen's template"))
        ]
    }

    private mutating func type(
        _ name: String, _ text: String, in view: ScreenView, _ shown: ShownControls, _ client: ClientView
    ) -> [ClientAction] {
        if let control = ScreenControl(rawValue: name) {
            guard shown.controls.contains(control) else { return Self.notShown(name, view, shown, client) }
            switch control {
            case .inputTextView: self.input = text
            case .emailAlert: self.emailAlert = text
            default: return [.answer(.notOffered("\(name) is pressed, nothing can be typed into it"))]
            }
            return []
        }
        guard let cell = shown.cell(name) else { return Self.notShown(name, view, shown, client) }
        guard [.text, .email, .phone].contains(cell.field.type) else {
            let refusal = "nothing on the \(view.rawValue) view takes text under the name '\(name)'"
            return [.answer(.notOffered(refusal))]
        }
        return cell.takesValues ? self.enter(text, into: name) : Self.takesNothing(cell)
    }

    /// Enters a value; whatever picker is open closes, unless it is the field's own.
    private mutating func enter(_ value: String, into key: String) -> [ClientAction] {
        self.entries.values[key] = value
        if self.entries.openPicker != key { self.entries.openPicker = nil }
        return []
    }
}
