import JSON
import Machines
import Secrets

/// The fields of an event in one line of `name=value`, as failures show them: what says most first, what fills the line
/// last, nothing twice, and no secrets.
struct EventSummary {
    /// The whole line; empty if no field is shown.
    let text: String

    private let isError: Bool

    /// The fields that say most of an event; the others follow them.
    private static let firstFields = ["status", "code", "message", "from", "text", "reason"]

    /// A field is cut to this many bytes: far more than a line shows, so that no secret in it lacks its end.
    private static let fieldLimit = TextLimit(bytes: 4_096)

    /// So many characters of an error are shown where less is of other events, for it says what is wrong.
    private static let errorLength = 300

    /// Writes the fields of an event.
    ///
    /// - Parameter secrets: What must not be seen: it is taken out before a line is cut.
    init(of event: ChatEvent, without secrets: SecretMasker) {
        let cut = Self.fieldLimit.cut(event.fields) { Self.fieldLimit.beginning(of: $0) + "…" }
        let fields = secrets.masked(cut, keepingNames: true)
        let hidden = Self.hiddenFields(of: event)
        let names = fields.names.filter { !hidden.contains($0) }
        let first = Self.firstFields.filter(names.contains)
        let others = names.filter { !first.contains($0) }
        // A list or an object may be longer than the line, which would end before it says which event it is.
        let last = others.filter { Self.isCollection(fields[$0] ?? .null) }
        self.text = (first + others.filter { !last.contains($0) } + last).map { name in
            let value = fields[name] ?? .null
            if name == "form", let kind = value["kind"]?.string { return "form=\(kind)" }
            if case .double(let number) = value { return "\(name)=\(Self.rounded(number))" }
            return "\(name)=\(value)"
        }.joined(separator: " ")
        self.isError = event.kind == .error
    }

    /// Returns the line, or its beginning: so many characters, and more of an error.
    func shortened(to length: Int) -> String {
        self.text.shortened(to: self.isError ? max(length, Self.errorLength) : length)
    }

    private static func isCollection(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: true
        default: false
        }
    }

    /// Thousandths are enough for people.
    private static func rounded(_ number: Double) -> Double {
        abs(number) < 1_000_000 ? (number * 1000).rounded() / 1000 : number
    }

    /// The fields that a line need not have: headers, and of what came as text and as JSON one of the two.
    private static func hiddenFields(of event: ChatEvent) -> Set<String> {
        var hidden: Set<String> = ["headers"]
        guard event.fields["json"] != nil else { return hidden }
        switch event.kind {
        case .frame: hidden.formUnion(["text", "type", "size"])
        case .response, .request: hidden.formUnion(["body", "size"])
        default: hidden.formUnion(event.fields["text"] == nil ? ["data"] : ["json", "data"])
        }
        return hidden
    }
}
