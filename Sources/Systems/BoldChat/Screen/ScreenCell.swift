/// The kinds of cells that fields are shown in; the raw value is what scripts see.
enum ScreenCell: String, CaseIterable, Sendable {
    case singleLine = "single_line"
    case email, phone
    case multiLine = "multi_line"
    case selection, rating, label

    /// The cell of a field.
    init(_ field: FormField) {
        switch field.type {
        case .text: self = field.isMultiLine ? .multiLine : .singleLine
        case .email: self = .email
        case .phone: self = .phone
        case .select, .radio: self = .selection
        case .rating: self = .rating
        case .label: self = .label
        }
    }

    /// The template of the cell; the browser's static text has none of its own.
    var template: ScreenTemplate {
        switch self {
        case .singleLine, .label: .singleLine
        case .email: .email
        case .phone: .phone
        case .multiLine: .multiLine
        case .selection: .selection
        case .rating: .rating
        }
    }

    /// The outlet that holds the value.
    var inputOutlet: ScreenOutlet {
        switch self {
        case .multiLine: .textView
        case .rating: .starRatingView
        case .selection: .valueLabel
        case .singleLine, .email, .phone, .label: .textField
        }
    }
}
