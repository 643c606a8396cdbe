import JSON

/// What a person sees of a message besides text, found in whatever fields the system has for it.
///
/// | part | found under | shape |
/// |---|---|---|
/// | buttons | `actions`, `buttons`, `global_actions`, `suggestions`, `quick_replies`, `replies` | a text, or a table with `label`, `title`, `text` or `name` |
/// | cards | `card`, `cards`, `elements` | a table |
/// | | anywhere, as in `attachments` | the `content` of a table whose `contentType` is that of a card |
/// | forms | `form`, `forms`, `footer_form` | a table with `fields` |
/// | tables | the message itself, or a table within it | `rows`, with `headings` or `columns` |
///
/// Buttons of cards and forms are buttons of the message, too. Messages are looked through as deep as ``depthLimit``,
/// so those of a plain WebSocket (`json`) and raw payloads are covered.
struct MessageModel {
    /// How deep parts may stand within a message.
    static let depthLimit = 8

    /// A table by its headings.
    struct Table {
        let headings: [String]
        let rows: [[JSONValue]]

        /// The rows as members by heading.
        var records: [JSONValue] {
            self.rows.map { row in .object(JSONObject(zip(self.headings, row).map { ($0, $1) })) }
        }
    }

    private(set) var buttons: [JSONObject] = []
    private(set) var cards: [JSONObject] = []
    private(set) var forms: [JSONObject] = []
    private(set) var tables: [Table] = []

    /// Under what buttons, cards and forms are looked for.
    static let places = (
        buttons: ["actions", "buttons", "global_actions", "suggestions", "quick_replies", "replies"],
        cards: ["card", "cards", "elements"], forms: ["form", "forms", "footer_form"]
    )

    private static let buttonNames = Set(Self.places.buttons)
    private static let cardNames = Set(Self.places.cards)
    private static let formNames = Set(Self.places.forms)

    /// Whether parts of messages are looked for under a name.
    static func isName(_ name: String) -> Bool {
        Self.buttonNames.contains(name) || Self.cardNames.contains(name) || Self.formNames.contains(name)
    }

    /// Finds the parts of a message.
    init(_ message: JSONValue) {
        self.look(through: message, depth: 0)
    }

    private mutating func look(through value: JSONValue, depth: Int) {
        guard depth < Self.depthLimit else { return }
        switch value {
        case .array(let elements): for element in elements { self.look(through: element, depth: depth + 1) }
        case .object(let members):
            if let table = Self.table(members) { self.tables.append(table) }
            if let card = Self.attachedCard(members) { self.cards.append(card) }
            for (name, member) in members {
                let parts = member.array ?? [member]
                if Self.buttonNames.contains(name) {
                    self.buttons += parts.compactMap(Self.button)
                    continue
                }
                if Self.cardNames.contains(name) { self.cards += parts.compactMap(\.object) }
                if Self.formNames.contains(name) {
                    self.forms += parts.compactMap(\.object).filter { $0["fields"] != nil }
                }
                if name != "raw" { self.look(through: member, depth: depth + 1) }
            }
        default: break
        }
    }

    private static func button(_ value: JSONValue) -> JSONObject? {
        switch value {
        case .string(let label): return ["label": .string(label)]
        case .object(var members):
            for name in ["label", "title", "text", "name"] where members["label"] == nil {
                members["label"] = members[name]
            }
            return members
        default: return nil
        }
    }

    /// The card that an attachment holds, as those of the Bot Framework do: its content, with what the attachment says
    /// of it.
    private static func attachedCard(_ members: JSONObject) -> JSONObject? {
        guard members["contentType"]?.string?.contains(".card.") == true, var card = members["content"]?.object else {
            return nil
        }
        for (name, value) in members where name != "content" && card[name] == nil { card[name] = value }
        return card
    }

    private static func table(_ members: JSONObject) -> Table? {
        guard let rows = members["rows"]?.array, let headings = (members["headings"] ?? members["columns"])?.array
        else {
            return nil
        }
        let names = headings.map { heading in
            heading.string ?? heading["label"]?.string ?? heading["title"]?.string ?? heading["name"]?.string ?? ""
        }
        return Table(headings: names, rows: rows.map { row in row.array ?? names.map { row[$0] ?? .null } })
    }
}
