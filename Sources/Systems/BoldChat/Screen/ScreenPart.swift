import JSON
import Machines

/// What a person has done on the screen and not sent yet.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `shown`, another form than before | its cells as they were sent, no picker open | |
/// | any | `pressed` a selection | its picker open; closed if it was open | |
/// | any | `pressed` another cell | no picker open | |
/// | any | `pressed` with a value, or `typed` | the value in the cell; another field's picker closed | |
/// | any | `pressed` the button of a form | wrong cells are marked | submits |
/// | any | `pressed` the send button, something in the input | input empty | says it |
/// | any | `pressed` what ends or leaves the chat or sends the transcript | unchanged | does so |
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

    /// The form that the values belong to.
    private var form: FormKind?
    /// What stands in the cells, where it differs from what the form began with.
    private(set) var values: [String: String] = [:]
    /// Whether somebody has tried to submit, so that wrong cells are marked.
    private(set) var hasAttempted = false
    /// The field whose picker is open.
    private(set) var openPicker: String?
    /// What stands in the input of the chat.
    private(set) var input = ""
    /// What the error view says, while it is shown.
    private(set) var error: String?

    /// Takes in what happened on the screen of a client.
    mutating func handle(_ input: Input, of client: ClientView) -> [ClientAction] {
        switch input {
        case .pressed(let name, let value):
            guard let view = ScreenView(client) else { return Self.noScreen }
            self.show(view.form)
            return self.press(name, value, in: view, of: client)
        case .typed(let name, let text):
            guard let view = ScreenView(client) else { return Self.noScreen }
            self.show(view.form)
            return self.type(name, text, in: view, of: client)
        case .errorShown(let text):
            self.error = text
            return []
        }
    }

    private static let noScreen = [ClientAction.answer(.refused("there is no screen before create_chat()"))]

    /// Begins with an empty form; what was entered into another one is gone.
    private mutating func show(_ kind: FormKind?) {
        guard kind != self.form else { return }
        self.form = kind
        self.values = [:]
        self.hasAttempted = false
        self.openPicker = nil
    }

    // MARK: Buttons

    private mutating func press(
        _ name: String, _ value: JSONValue?, in view: ScreenView, of client: ClientView
    ) -> [ClientAction] {
        guard !ScreenModel.isLoading(client) else {
            return [
                .answer(
                    .refused("the loading view covers the screen; expect the event that ends the request first"))
            ]
        }
        guard let control = ScreenControl(name) else { return self.tapCell(name, value, in: view, of: client) }
        guard !client.settings.view.disconnected.contains(control.rawValue) else {
            return [.answer(.refused("\(control.rawValue) is not connected in this screen's template"))]
        }
        if let action = control.externalAction {
            guard control.owner == nil || control.owner == view else { return Self.notShown(control.rawValue, view) }
            return [.emit(.actionPerformed, ["action": .string(action)])]
        }
        switch (control, view) {
        case (.button, _):
            guard let kind = view.form else { return Self.notShown(name, view) }
            self.hasAttempted = true
            return [.submit(kind, self.values)]
        case (.sendButton, .chat):
            guard !self.input.isEmpty else { return [] }
            defer { self.input = "" }
            return [.command(.say(self.input))]
        case (.endChatButton, .chat): return [.command(.finish)]
        case (.emailChatHistoryButton, .chat): return [.command(.emailHistory(address: value?.string ?? ""))]
        case (.cancelChatButton, .chat):
            guard ScreenModel.canCancel(client) else {
                return [
                    .answer(
                        .notOffered("cancelChatButton is shown only in a queue that offers an unavailable form"))
                ]
            }
            return [.command(.cancelChat)]
        case (.inputTextView, .chat): return []
        default: return Self.notShown(name, view)
        }
    }

    private static func notShown(_ name: String, _ view: ScreenView) -> [ClientAction] {
        [.answer(.notOffered("\(name) is not on the \(view.rawValue) view, which is visible now"))]
    }

    // MARK: Cells

    private mutating func tapCell(
        _ key: String, _ value: JSONValue?, in view: ScreenView, of client: ClientView
    ) -> [ClientAction] {
        guard let field = Self.shownField(key, in: view, of: client) else {
            let refusal =
                "nothing on the \(view.rawValue) view is called '\(key)'; read the screen to see what is there"
            return [.answer(.notOffered(refusal))]
        }
        let isSelection = ScreenCell(field) == .selection
        guard let text = value.flatMap(CreationOptions.text) else {
            // A tap on a selection opens its picker or closes it, one on any other cell closes the one that is open.
            self.openPicker = isSelection && self.openPicker != key ? key : nil
            return []
        }
        guard isSelection else { return self.enter(text, into: key) }
        guard self.openPicker == key else {
            let refusal = "the picker of '\(key)' is closed; press '\(key)' without a value to open it"
            return [.answer(.refused(refusal))]
        }
        guard let option = field.options.first(where: { $0.value == text || $0.name == text }) else {
            return [.answer(.notOffered("'\(text)' is not an option of '\(key)'"))]
        }
        return self.enter(option.value, into: key)
    }

    private mutating func type(
        _ name: String, _ text: String, in view: ScreenView, of client: ClientView
    ) -> [ClientAction] {
        if name == ScreenControl.inputTextView.rawValue {
            guard view == .chat else { return Self.notShown(name, view) }
            self.input = text
            return []
        }
        guard let field = Self.shownField(name, in: view, of: client), [.text, .email, .phone].contains(field.type)
        else {
            let refusal = "nothing on the \(view.rawValue) view takes text under the name '\(name)'"
            return [.answer(.notOffered(refusal))]
        }
        return self.enter(text, into: name)
    }

    /// Enters a value; whatever picker is open closes, unless it is the field's own.
    private mutating func enter(_ value: String, into key: String) -> [ClientAction] {
        self.values[key] = value
        if self.openPicker != key { self.openPicker = nil }
        return []
    }

    private static func shownField(_ key: String, in view: ScreenView, of client: ClientView) -> FormField? {
        view.form.flatMap { client.record[$0] }?.fields.first { $0.key == key && $0.isShown && $0.type != .label }
    }
}
