import Machines

/// What of the headless screen scripts press, type into and leave unconnected, for the reference.
enum ScreenVocabulary {
    /// The tables of the reference.
    static let data = [
        DataDeclaration(
            "Controls of `screen_press` and `screen_type`",
            "By the name of the vendor's outlet; beside them the key of a field of the form that is shown. A field that "
                + "is pressed with a value takes it, a selection once its picker is open; without one, a selection opens or "
                + "closes its picker. Each is there only while its view is shown and its outlet is connected.",
            ScreenControl.allCases.map { ParameterDeclaration($0.rawValue, $0.taken, optional: true, $0.told) }),
        DataDeclaration(
            "Outlets of `disconnected_outlets`",
            "`outlet` is meant in all templates that have it, `template.outlet` in one; the templates by the setting of "
                + "`view_settings` that replaces them.",
            ScreenTemplate.allCases.map { template in
                ParameterDeclaration(
                    template.rawValue, .choice(template.outlets.map(\.rawValue)), optional: true,
                    "Of `\(template.standardName)`, which `\(template.owner)` owns.")
            }),
    ]
}

extension ScreenControl {
    /// What it takes besides being pressed.
    fileprivate var taken: ScriptType {
        switch self {
        case .emailChatHistoryButton, .inputTextView, .emailAlert: .string
        default: .nothing
        }
    }

    /// What it does, and the names of its actions.
    fileprivate var told: String {
        let names = Self.actions.filter { $0.value == self }.map { "`\($0.key)`" }.sorted()
        return names.isEmpty ? self.effect : "\(self.effect) Also \(names.joined(separator: ", "))."
    }

    private var effect: String {
        switch self {
        case .cancelChatButton: "Leaves a queue that offers the unavailable form, as `cancel_chat`."
        case .emailChatHistoryButton: "Opens the alert for the transcript's address; with an address, sends it there."
        case .endChatButton: "Ends the chat, as `finish`."
        case .sendButton: "Says what stands in `inputTextView`."
        case .inputTextView: "What the visitor writes; `screen_type` types into it."
        case .mainExternalActionButton: "The application's own button of any view; `action_performed` follows."
        case .endExternalActionButton: "That of the closing words; `action_performed` follows."
        case .errorExternalActionButton: "That of an error; `action_performed` follows."
        case .chatExternalActionButton: "That of the chat; `action_performed` follows."
        case .button: "Submits the form that is shown."
        case .emailAlert: "The address in the open alert; `screen_type` types into it."
        case .emailAlertSend: "Sends the transcript to the address in the alert."
        case .emailAlertCancel: "Closes the alert."
        }
    }
}
