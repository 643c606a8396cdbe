import Machines

/// What payloads are made of: the members of each kind of table that stands in them.
///
/// A table that holds such tables again declares them as any value, for they may stand in each other; `members(named:)`
/// says what they are.
enum PayloadSection {
    /// Properties of particular channels, which may be any.
    static let extensions = optional("channelExtensions", .json, "Properties of particular channels; any.")

    /// How the vendor's tables print the name of `url`.
    static let capitalURL = optional("URL", .string, "Another spelling of url.")

    /// What is read aloud.
    static let voice = optional(
        "voice",
        .record([
            optional("text", .string, "The words."), optional("soundUrl", .string, "A sound to play; kept."),
            optional("longText", .string, "More words; kept."),
        ]), "What is read aloud in its place.")

    private static let id = optional("id", .string, "What names it.")
    private static let alignment = ScriptType.choice(["left", "center", "right"])

    /// Returns what a table may have that stands in the member of this name, alone or in a list; nil if anything.
    static func members(named name: String) -> [ParameterDeclaration]? {
        switch name {
        case "actions", "globalActions", "action", "selectAction": self.action
        case "fields", "field": self.field
        case "cards": self.card
        case "footerForm": self.form
        case "formRows": self.formRow
        case "columns": self.column
        case "options": self.option
        case "keywords": self.keyword
        default: nil
        }
    }

    /// A button.
    static let action = [
        parameter("type", .choice(MessageAction.Kind.allCases.map(\.rawValue)), "What a tap does."),
        optional("label", .string, "The words; a label or a picture is needed."),
        optional("imageUrl", .string, "The picture."),
        optional("postback", .json, "What goes back, for postback and submitForm."),
        optional("phoneNumber", .string, "Whom to call, for call."),
        optional("url", .string, "The page, for url and webview."), Self.capitalURL,
        optional("popupContent", .json, "The payload of a popup, for popup."),
        optional("actionType", .string, "What the application does, for client."),
        optional("data", .json, "What the application needs for it, for client."),
        optional("style", .choice(["primary", "danger", "default"]), "default unless given."),
        optional("displayType", .choice(["button", "link", "icon"]), "button unless given."), Self.id, Self.voice,
        optional("keywords", .list(.string), "Words that stand for it."),
        optional("skipAutoNumber", .boolean, "Whether it goes without a number where those are added; kept."),
        Self.extensions,
    ]

    /// A card.
    static let card = [
        parameter("title", .string, "The first line."), optional("description", .string, "The words below."),
        optional("imageUrl", .string, "The picture."), optional("url", .string, "The page of the card itself."),
        Self.capitalURL, optional("actions", .list(.json), "Its buttons."), Self.id, Self.voice, Self.extensions,
    ]

    /// The head of a column.
    static let heading = [
        parameter("label", .string, "The words."), optional("alignment", Self.alignment, "left unless given."),
        optional("width", .number, "The share of the table's width, in percent."), Self.extensions,
    ]

    /// A row of a table.
    static let row = [
        parameter("fields", .list(.json), "The cells: fields to read."),
        optional("selectAction", .json, "The action of a tap on the row."), Self.extensions,
    ]

    /// A form to read.
    static let form = [
        Self.id, optional("title", .string, "The words above."),
        optional("fields", .list(.json), "Fields to read."),
        optional("field", .list(.json), "Another name of fields, as the vendor's table has it."),
        optional("formRows", .list(.json), "Fields in rows of columns, in their place."),
        optional("selectAction", .json, "The action of a tap on the form."),
        optional("actions", .list(.json), "Its buttons."), Self.voice, Self.extensions,
    ]

    /// A row of a form.
    static let formRow = [
        Self.id,
        parameter("columns", .list(.json), "The columns: id, fields, width (auto, stretch) and verticalAlignment."),
        optional("selectAction", .json, "The action of a tap on the row."),
        optional("separator", .boolean, "Whether a line parts it from the next one; kept."), Self.extensions,
    ]

    /// A column of a row of a form.
    static let column = [
        Self.id, parameter("fields", .list(.json), "The fields, from top to bottom."),
        optional("width", .choice(["auto", "stretch"]), "How wide it is."),
        optional("verticalAlignment", .choice(["top", "center", "bottom"]), "Where its fields stand."),
        Self.extensions,
    ]

    /// One thing that can be selected.
    static let option = [
        parameter("label", .string, "The words."), parameter("value", .json, "What is submitted."),
        optional("imageUrl", .string, "The picture."), Self.extensions,
    ]

    /// Words that stand for a postback.
    static let keyword = [
        parameter("keywords", .list(.string), "The words."), parameter("postback", .json, "What goes back."),
        optional("skipAutoNumber", .boolean, "Whether it goes without a number where those are added; kept."),
    ]

    /// A field to read or to fill in.
    static let field = Self.anyField + Self.readField + Self.editField

    private static let anyField = [
        parameter("displayType", .choice(Field.Kind.allCases.map(\.rawValue)), "How it is shown or filled in."),
        parameter("label", .string, "The words beside it."), Self.extensions,
        optional("labelFontSize", .choice(["small", "medium", "large"]), "Of the label; kept."),
        optional("labelFontWeight", .choice(["light", "medium", "bold"]), "Of the label; kept."),
        optional("marginTop", .choice(["none", "medium", "large"]), "The space above; kept."),
    ]

    private static let readField = [
        optional("value", .json, "What is read."), optional("linkLabel", .string, "Short words for a link."),
        optional("imageUrl", .string, "The picture of a link."),
        optional("mediaType", .choice(["image", "video", "audio"]), "What a field of type media shows."),
        optional("alignment", Self.alignment, "Where the label stands in its cell."),
        optional("width", .number, "The share of the table's width, in percent."),
        optional("action", .json, "The action of a field of type action."),
        optional("truncateAt", .integer, "After how many characters the text is cut; kept."),
        optional("fontSize", .choice(["small", "medium", "large"]), "Of the text; kept."),
        optional("fontWeight", .choice(["light", "medium", "bold"]), "Of the text; kept."),
    ]

    private static let editField = [
        optional("id", .string, "The name under which what is filled in is submitted."),
        optional("defaultValue", .json, "What stands there from the start."),
        optional("placeholder", .string, "What stands in an empty field."),
        optional("required", .boolean, "Whether it must be filled in; false unless given."),
        optional("options", .list(.json), "What can be selected: label, value."),
        optional("layoutStyle", .choice(["list", "radioGroup", "checkboxes"]), "How options lie; list unless given."),
        optional("validationRegularExpression", .string, "What a text must match."),
        optional("multiLine", .boolean, "Whether a text has lines."),
        optional("minLength", .integer, "The fewest characters."), optional("maxLength", .integer, "The most."),
        optional("minValue", .number, "The smallest number."), optional("maxValue", .number, "The largest."),
        optional("minDate", .string, "The first day."), optional("maxDate", .string, "The last."),
        optional("minTime", .string, "The first time of the day."), optional("maxTime", .string, "The last."),
        optional("inputStyle", .choice(["text", "textarea", "email", "url", "tel", "password"]), "Of a text."),
        optional("valueOn", .string, "The value of a toggle that is on."), optional("valueOff", .string, "And off."),
        optional("labelOn", .string, "The words of a toggle that is on; kept."),
        optional("labelOff", .string, "And off; kept."),
        optional("autoSubmit", .boolean, "Whether a changed value is submitted at once."),
        optional("clientErrorMessage", .string, "What is said of a value that is not taken."),
        optional("serverErrorMessage", .string, "What the skill said of the value before."),
    ]
}
