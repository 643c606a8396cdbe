import JSON

/// A field of a table, of a form to read or of a form to fill in.
struct Field: WireObject {
    var members: JSONObject

    /// How a field is shown or entered.
    enum Kind: String, CaseIterable, Sendable {
        case text, link, action, media
        case singleSelect, multiSelect, datePicker, timePicker, toggle, textInput, numberInput

        /// Whether the user enters something.
        var isEditable: Bool {
            switch self {
            case .text, .link, .action, .media: false
            default: true
            }
        }
    }

    /// How the field is shown, if in a known way.
    var kind: Kind? { self.text("displayType").flatMap(Kind.init(rawValue:)) }

    /// The name under which its value is submitted.
    var id: String? { self.text("id") }

    /// The words beside it.
    var label: String? { self.text("label") }

    /// The value to read.
    var value: JSONValue? { self.members["value"] }

    /// Short words for the value of a link.
    var linkLabel: String? { self.text("linkLabel") }

    /// Where the label stands in its cell: `left`, `center` or `right`.
    var alignment: String? { self.text("alignment") }

    /// The suggested share of the table's width, in percent.
    var width: Double? { self.number("width") }

    /// What a tap on the field does.
    var action: MessageAction? { self.view("action") }

    /// The value the field starts with.
    var defaultValue: JSONValue? { self.members["defaultValue"] }

    /// Whether a value must be entered.
    var isRequired: Bool { self.flag("required") ?? false }

    /// What a text that is entered must match.
    var pattern: FieldPattern? {
        guard self.kind == .textInput, let pattern = self.text("validationRegularExpression"), !pattern.isEmpty else {
            return nil
        }
        return FieldPattern(pattern)
    }

    /// The words that the client shows for a value it does not take.
    var clientErrorMessage: String? { self.text("clientErrorMessage") }

    /// The words of the skill about the value it got before.
    var serverErrorMessage: String? { self.text("serverErrorMessage") }

    /// Whether a changed value is submitted at once.
    var submitsItself: Bool { self.flag("autoSubmit") ?? false }

    /// What can be selected.
    var options: [Option] { self.views("options") }

    /// How options are laid out; as a list unless given.
    var layoutStyle: String { self.text("layoutStyle") ?? "list" }

    /// One thing that can be selected.
    struct Option: WireObject {
        var members: JSONObject

        /// The words.
        var label: String? { self.text("label") }

        /// What is submitted for it.
        var value: JSONValue? { self.members["value"] }
    }
}
