import JSON
import Machines

/// What a person does on the screen.
extension BoldChatClient {
    /// Presses a button or taps a cell.
    mutating func press(_ name: String, _ value: JSONValue?, in step: inout Step) -> CommandOutcome {
        guard let view = ScreenView(self) else { return Self.noScreen }
        self.screen.show(view.form)
        guard !ScreenModel.isLoading(self) else {
            return .refused("the loading view covers the screen; expect the event that ends the request first")
        }
        guard let control = ScreenControl(name) else { return self.tapCell(name, value, in: view) }
        guard !self.settings.view.disconnected.contains(control.rawValue) else {
            return .refused("\(control.rawValue) is not connected in this screen's template")
        }
        if let action = control.externalAction {
            let owner: ScreenView? =
                control == .endExternalActionButton
                ? .end
                : control == .errorExternalActionButton
                    ? .error : control == .chatExternalActionButton ? .chat : nil
            guard owner == nil || owner == view else { return Self.notShown(control.rawValue, view) }
            self.emit(ChatEvent(.actionPerformed, ["action": .string(action)]), in: &step)
            return .done(.null)
        }
        switch (control, view) {
        case (.button, _):
            guard let kind = view.form else { return Self.notShown(name, view) }
            self.screen.hasAttempted = true
            return self.submit(kind, self.screen.values, in: &step)
        case (.sendButton, .chat):
            let text = self.screen.input
            guard !text.isEmpty else { return .done(.null) }
            self.screen.input = ""
            return self.perform(.say(text), in: &step)
        case (.endChatButton, .chat): return self.perform(.finish, in: &step)
        case (.emailChatHistoryButton, .chat): return self.emailHistory(value?.string ?? "", in: &step)
        case (.cancelChatButton, .chat):
            guard ScreenModel.canCancel(self) else {
                return .notOffered("cancelChatButton is shown only in a queue that offers an unavailable form")
            }
            return self.perform(.cancelChat, in: &step)
        case (.inputTextView, .chat): return .done(.null)
        default: return Self.notShown(name, view)
        }
    }

    private mutating func tapCell(_ key: String, _ value: JSONValue?, in view: ScreenView) -> CommandOutcome {
        guard let field = self.shownField(key, in: view) else {
            return .notOffered(
                "nothing on the \(view.rawValue) view is called '\(key)'; read the screen to see what is there")
        }
        let isSelection = ScreenCell(field) == .selection
        guard let text = value.flatMap(CreationOptions.text) else {
            self.screen.tap(key, isSelection: isSelection)
            return .done(.null)
        }
        if isSelection {
            guard self.screen.openPicker == key else {
                return .refused("the picker of '\(key)' is closed; press '\(key)' without a value to open it")
            }
            guard let option = field.options.first(where: { $0.value == text || $0.name == text }) else {
                return .notOffered("'\(text)' is not an option of '\(key)'")
            }
            self.screen.enter(option.value, into: key)
        } else {
            self.screen.enter(text, into: key)
        }
        return .done(.null)
    }

    /// Types into the chat's input or into a cell.
    mutating func type(_ name: String, _ text: String) -> CommandOutcome {
        guard let view = ScreenView(self) else { return Self.noScreen }
        self.screen.show(view.form)
        if name == ScreenControl.inputTextView.rawValue {
            guard view == .chat else { return Self.notShown(name, view) }
            self.screen.input = text
            return .done(.null)
        }
        guard let field = self.shownField(name, in: view), [.text, .email, .phone].contains(field.type) else {
            return .notOffered("nothing on the \(view.rawValue) view takes text under the name '\(name)'")
        }
        self.screen.enter(text, into: name)
        return .done(.null)
    }

    private func shownField(_ key: String, in view: ScreenView) -> FormField? {
        view.form.flatMap { self.record[$0] }?.fields.first { $0.key == key && $0.isShown && $0.type != .label }
    }

    private static let noScreen = CommandOutcome.refused("there is no screen before create_chat()")

    private static func notShown(_ name: String, _ view: ScreenView) -> CommandOutcome {
        .notOffered("\(name) is not on the \(view.rawValue) view, which is visible now")
    }
}
