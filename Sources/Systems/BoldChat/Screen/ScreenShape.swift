import Machines

/// What ``ScreenModel`` shows, member by member, for the reference and for editors.
///
/// Every member but `view`, `loading`, `template`, `title` and `direction` is there only while it is shown and its
/// outlet is connected. The names are those of the vendor's outlets.
enum ScreenShape {
    /// The screen.
    static let type = ScriptType.record([
        Self.member("view", .choice(ScreenView.allCases.map(\.rawValue)), "Which view is visible."),
        Self.member("loading", .boolean, "Whether the loading view lies on top."),
        Self.template, Self.member("title", .string, "The title of the window."),
        Self.member("direction", .choice(["ltr", "rtl"]), "In which direction the language is written."),
        Self.optional("loadingActivityIndicator", .boolean, "That something is under way."),
        Self.button("mainExternalActionButton"), Self.optional("errorLabel", .string, "What went wrong."),
        Self.button("errorExternalActionButton"), Self.optional("endLabel", .string, "The closing words."),
        Self.button("endExternalActionButton"), Self.optional("form", Self.form, "The form of the view."),
        Self.optional("chat", Self.chat, "The conversation."),
    ])

    private static let form = ScriptType.record([
        Self.member("kind", .choice(FormKind.allCases.map(\.rawValue)), "Which form."), Self.template,
        Self.optional(
            "sections",
            .list(
                .record([
                    Self.optional("header", Self.caption, "The words above."),
                    Self.optional("footer", Self.caption, "The words below."),
                    Self.member("cells", .list(Self.cell), "The fields, an open picker, or the button."),
                ])), "The table's sections; the last one is the button's."),
    ])

    private static let caption = ScriptType.record([Self.template, Self.optional("label", .string, "The words.")])

    private static let cell = ScriptType.record([
        Self.member("kind", .choice(ScreenCell.allCases.map(\.rawValue) + ["picker", "button"]), "What it is."),
        Self.template, Self.optional("key", .string, "The field's name in the form."),
        Self.optional("titleLabel", .string, "The words beside the field."),
        Self.optional("textField", .string, "What stands in a field of one line."),
        Self.optional("textView", .string, "What stands in a field of several lines."),
        Self.optional("valueLabel", .string, "The name of what is selected."),
        Self.optional("starRatingView", .string, "How many stars, from 1 to 5; empty for none."),
        Self.optional("requiredLabel", .string, "That it must be filled in."),
        Self.optional("missingView", .boolean, "Whether it is marked as missing."),
        Self.optional("invalidEmailView", .boolean, "Whether it is marked as no e-mail address."),
        Self.optional("invalidPhoneNumberView", .boolean, "Whether it is marked as no telephone number."),
        Self.optional(
            "pickerView",
            .list(
                .record([
                    Self.member("name", .string, "Its words."), Self.member("value", .string, "What it stands for."),
                    Self.member("selected", .boolean, "Whether it is selected."),
                ])), "What an open picker offers."), Self.optional("button", .string, "The words of the button."),
    ])

    private static let chat = ScriptType.record([
        Self.template,
        Self.optional(
            "chatHistoryWebView",
            .list(
                .record([
                    Self.member("from", .choice(PersonType.allCases.map(\.rawValue)), "Who wrote."),
                    Self.member("name", .string, "The name that is shown."),
                    Self.member("text", .string, "The words."),
                    Self.optional("time", .string, "When, UTC."),
                ])), "The messages, oldest first."),
        Self.optional(ViewSettings.historyPageSetting, .string, "The page of the history, if it is another one."),
        Self.optional("chatHistoryWebViewHolderView", .boolean, "That there is room for the messages."),
        Self.optional("inputHolderView", .boolean, "That there is room for the input."),
        Self.optional("status", .string, "What stands in place of a first answer."),
        Self.optional(
            "inputTextView",
            .record([
                Self.member("text", .string, "What is typed."), Self.member("placeholder", .string, "The hint."),
            ]), "The input field."),
        Self.optional("sendButton", .string, "Its words."), Self.optional("endChatButton", .string, "Its words."),
        Self.optional("emailChatHistoryButton", .string, "Its words."),
        Self.optional("cancelChatButton", .string, "Its words."), Self.button("chatExternalActionButton"),
        Self.optional("emailAlert", .string, "What is typed into the alert that asks for an address."),
        Self.optional("emailAlertSend", .string, "The words of its button."),
        Self.optional("emailAlertCancel", .string, "And of the other."),
        Self.optional("queuePositionLabel", .string, "The place in the queue."),
        Self.optional("typingLabel", .string, "Who types."),
    ])

    private static let template = Self.member("template", .string, "The name of the template, without `.xib`.")

    private static func member(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, summary)
    }

    private static func optional(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, optional: true, summary)
    }

    private static func button(_ name: String) -> ParameterDeclaration {
        Self.optional(name, .boolean, "That a button of the application is shown.")
    }
}
