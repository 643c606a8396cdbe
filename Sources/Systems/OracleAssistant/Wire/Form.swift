import JSON

/// A set of fields, plain or in rows and columns.
struct Form: WireObject {
    var members: JSONObject

    /// The words above it.
    var title: String? { self.text("title") }

    /// The buttons below it.
    var actions: [MessageAction] { self.views("actions") }

    /// What a tap on the form does.
    var selectAction: MessageAction? { self.view("selectAction") }

    /// The plain fields; the vendor's table calls the member `field`, its examples `fields`.
    var plainFields: [Field] {
        let fields: [Field] = self.views("fields")
        return fields.isEmpty ? self.views("field") : fields
    }

    /// The fields in rows and columns.
    var formRows: [FormRow] { self.views("formRows") }

    /// All fields in the order in which they are read.
    var fields: [Field] { self.plainFields + self.formRows.flatMap(\.fields) }
}

/// A row of a form.
struct FormRow: WireObject {
    var members: JSONObject

    /// A column of the row.
    struct Column: WireObject {
        var members: JSONObject

        /// The fields, from top to bottom.
        var fields: [Field] { self.views("fields") }

        /// `auto` or `stretch`.
        var width: String? { self.text("width") }

        /// `top`, `center` or `bottom`.
        var verticalAlignment: String? { self.text("verticalAlignment") }
    }

    /// The columns.
    var columns: [Column] { self.views("columns") }

    /// What a tap on the row does.
    var selectAction: MessageAction? { self.view("selectAction") }

    /// All fields of the row.
    var fields: [Field] { self.columns.flatMap(\.fields) }
}

/// A message that is a form to fill in.
struct EditFormPayload: PayloadContent {
    var members: JSONObject

    /// The fields and rows.
    var form: Form { Form(members: self.members) }

    /// The words above the form.
    var title: String? { self.text("title") }

    /// What the skill did not like about the last submission.
    var errorMessage: String? { self.text("errorMessage") }

    /// The number of columns in which fields are laid out; one unless given.
    var formColumns: Int64 { self.integer("formColumns") ?? 1 }

    /// The button that submits the form, wherever it stands.
    var submitAction: MessageAction? {
        (self.actions + self.globalActions + self.form.fields.compactMap(\.action))
            .first { $0.kind == .submitForm }
    }
}

/// The values of a form that was filled in.
struct FormSubmissionPayload: PayloadContent {
    var members: JSONObject

    /// The values by the names of their fields.
    var submittedFields: JSONObject? { self.object("submittedFields") }

    /// The value that the skill put in the submitting action.
    var postback: JSONValue? { self.members["postback"] }

    /// The field that submitted the form by itself.
    var partialSubmitField: String? { self.text("partialSubmitField") }
}
