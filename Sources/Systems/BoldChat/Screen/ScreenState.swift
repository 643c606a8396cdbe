/// What a person has done on the screen and not sent yet.
struct ScreenState: Hashable, Sendable {
    /// The form that the values belong to.
    private(set) var form: FormKind?
    /// What stands in the cells, where it differs from what the form began with.
    private(set) var values: [String: String] = [:]
    /// Whether somebody has tried to submit, so that wrong cells are marked.
    var hasAttempted = false
    /// The field whose picker is open.
    private(set) var openPicker: String?
    /// What stands in the input of the chat.
    var input = ""
    /// What the error view says, while it is shown.
    var error: String?

    /// Begins with an empty form; what was entered into another one is gone.
    mutating func show(_ kind: FormKind?) {
        guard kind != self.form else { return }
        self.form = kind
        self.values = [:]
        self.hasAttempted = false
        self.openPicker = nil
    }

    /// Enters a value; whatever picker is open closes, unless it is the field's own.
    mutating func enter(_ value: String, into key: String) {
        self.values[key] = value
        if self.openPicker != key { self.openPicker = nil }
    }

    /// A tap on a cell: a selection opens its picker or closes it, any other cell closes the one that is open.
    mutating func tap(_ key: String, isSelection: Bool) {
        self.openPicker = isSelection && self.openPicker != key ? key : nil
    }
}
