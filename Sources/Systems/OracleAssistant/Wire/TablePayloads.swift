import JSON

/// The head of a column of a table.
struct Heading: WireObject {
    var members: JSONObject

    /// The words.
    var label: String? { self.text("label") }

    /// `left`, `right` or `center`; left unless given.
    var alignment: String { self.text("alignment") ?? "left" }

    /// The suggested share of the table's width, in percent.
    var width: Double? { self.number("width") }
}

/// A row of a table.
struct Row: WireObject {
    var members: JSONObject

    /// The cells.
    var fields: [Field] { self.views("fields") }

    /// What a tap on the row does.
    var selectAction: MessageAction? { self.view("selectAction") }
}

/// Which part of a longer result a table or form shows.
struct PaginationInfo: WireObject {
    var members: JSONObject

    /// How many results there are.
    var totalCount: Int64? { self.integer("totalCount") }

    /// How many a page holds.
    var rangeSize: Int64? { self.integer("rangeSize") }

    /// The first result of this page, from 0.
    var rangeStart: Int64? { self.integer("rangeStart") }

    /// How many this page holds.
    var currentRangeSize: Int64? { self.integer("currentRangeSize") }

    /// How many the next page holds; the vendor's own sample has a negative number.
    var nextRangeSize: Int64? { self.integer("nextRangeSize") }

    /// Whether a page comes before this one; told by the numbers where the message does not say.
    var hasPrevious: Bool { self.flag("hasPrevious") ?? ((self.rangeStart ?? 0) > 0) }

    /// Whether a page follows this one; told by the numbers where the message does not say.
    var hasNext: Bool {
        if let stated = self.flag("hasNext") { return stated }
        let (end, overflow) = (self.rangeStart ?? 0).addingReportingOverflow(self.rangeSize ?? 0)
        return !overflow && end < (self.totalCount ?? 0)
    }

    /// The words about the page, such as `Showing 1-5 of 8 items`.
    var status: String? { self.text("status") }
}

/// A message that is a table.
struct TablePayload: PayloadContent {
    var members: JSONObject

    /// The heads of the columns.
    var headings: [Heading] { self.views("headings") }

    /// The rows.
    var rows: [Row] { self.views("rows") }

    /// The words above the table.
    var tableTitle: String? { self.text("tableTitle") }

    /// Which part of the result is shown.
    var pagination: PaginationInfo? { self.view("paginationInfo") }
}

/// A message that is a set of forms to read.
struct FormPayload: PayloadContent {
    var members: JSONObject

    /// The forms.
    var forms: [Form] { self.views("forms") }

    /// The number of columns in which fields are laid out.
    var formColumns: Int64? { self.integer("formColumns") }

    /// Which part of the result is shown.
    var pagination: PaginationInfo? { self.view("paginationInfo") }
}

/// A message that is a table with a form behind each row.
struct TableFormPayload: PayloadContent {
    var members: JSONObject

    /// The heads of the columns.
    var headings: [Heading] { self.views("headings") }

    /// The rows.
    var rows: [Row] { self.views("rows") }

    /// The forms; each belongs to the row at its place.
    var forms: [Form] { self.views("forms") }

    /// The number of columns in which fields are laid out.
    var formColumns: Int64? { self.integer("formColumns") }

    /// Which part of the result is shown; the vendor's table describes it as actions.
    var pagination: PaginationInfo? { self.view("paginationInfo") }
}
