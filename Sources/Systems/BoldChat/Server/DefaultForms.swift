/// The forms of an account that defines none of its own; defined here from the vendor's standard keys.
enum DefaultForms {
    /// The form of each kind.
    static let all: [FormKind: Form] = [
        .preChat: Form(
            kind: .preChat,
            fields: [
                FormField("first_name", .text, label: "Your name", required: true),
                FormField("email", .email, label: "Your e-mail address"),
                FormField("initial_question", .text, label: "How can we help?", multiLine: true),
            ]),
        .postChat: Form(
            kind: .postChat,
            fields: [
                FormField("overall", .rating, label: "How was the chat?"),
                FormField("comments", .text, label: "Anything to add?", multiLine: true),
                FormField("email", .email, label: "Send the transcript to"),
            ]),
        .unavailable: Form(
            kind: .unavailable,
            fields: [
                FormField("email", .email, label: "Your e-mail address", required: true),
                FormField("subject", .text, label: "Subject", required: true),
                FormField("body", .text, label: "Message", required: true, multiLine: true),
            ]),
    ]
}
