import JSON
import Machines

/// One property of the client's configuration: its names, its values, its default and whether it has an effect.
struct Setting: Sendable {
    /// What a property may hold.
    enum Kind: Sendable {
        case flag
        case text
        /// A time span in seconds.
        case seconds(ClosedRange<Double>)
        case count(ClosedRange<Int64>)
        case choice([String])
        /// An object or list whose form its own type checks.
        case json
        /// A table or list of tables with these members, whose values its own type checks.
        case declared(ScriptType)
        /// A color: a name, `#RRGGBB` or either with an opacity.
        case color
    }

    /// What the property does here.
    enum Effect: Sendable {
        /// The headless client does what the property says.
        case acts
        /// The property is kept, can be read and shapes only how a screen looks.
        case held
        /// The property is kept and can be read; it is about windows, which a headless client has none of.
        case kept
    }

    /// The vendor's name.
    let name: String

    /// Other names under which the vendor's documents mention the same property.
    let aliases: [String]

    /// The names in scripts: of the vendor's name, and of its aliases. Kept, for every client looks for all of them.
    let scriptNames: [String]

    /// What it may hold.
    let kind: Kind

    /// The default, or nil where there is none.
    let defaultValue: JSONValue?

    /// Whether it has an effect.
    let effect: Effect

    /// What it means, with its unit; one sentence.
    let summary: String

    /// Creates a setting.
    init(
        _ name: String, aliases: [String] = [], _ kind: Kind, default defaultValue: JSONValue?, _ effect: Effect,
        _ summary: String
    ) {
        self.name = name
        self.aliases = aliases
        self.scriptNames = ([name] + aliases).map(Self.scriptName)
        self.kind = kind
        self.defaultValue = defaultValue
        self.effect = effect
        self.summary = summary
    }

    /// The name in scripts.
    var scriptName: String { self.scriptNames[0] }

    /// Returns a name of the vendor's in snake case; runs of capitals count as one word.
    static func scriptName(_ name: String) -> String {
        var result = ""
        var previousIsLower = false
        for (index, character) in name.enumerated() {
            let next = name.dropFirst(index + 1).first
            if character.isUppercase, index > 0, previousIsLower || next?.isLowercase ?? false { result += "_" }
            result += character.lowercased()
            previousIsLower = !character.isUppercase && character != "_"
        }
        return result
    }

    /// The declarations of the option for scripts, one for each name.
    var parameters: [ParameterDeclaration] {
        let type: ScriptType =
            switch self.kind {
            case .flag: .boolean
            case .text, .color: .string
            case .seconds: .duration
            case .count: .integer
            case .choice(let words): .choice(words)
            case .json: .json
            case .declared(let declared): declared
            }
        let aliases = self.aliases.map {
            ParameterDeclaration(
                Self.scriptName($0), type, optional: true, "Another name of \(self.scriptName).")
        }
        let summary =
            switch self.effect {
            case .acts: self.summary
            case .held: self.summary + " Held: it shapes the screen's HTML only."
            case .kept: self.summary + " Kept: it can be read, and does nothing without a window."
            }
        return [ParameterDeclaration(self.scriptName, type, optional: true, summary)] + aliases
    }

    /// Returns what is wrong with a value, or nil if nothing is.
    func problem(with value: JSONValue) -> String? {
        let expectation: String? =
            switch self.kind {
            case .flag: value.bool == nil ? "true or false" : nil
            case .text: value.string == nil ? "a text" : nil
            case .seconds(let range):
                value.double.map { !range.contains($0) } ?? true
                    ? "a duration from \(range.lowerBound) to \(range.upperBound) seconds" : nil
            case .count(let range):
                value.integer.map { !range.contains($0) } ?? true
                    ? "a whole number from \(range.lowerBound) to \(range.upperBound)" : nil
            case .choice(let words):
                value.string.map { !words.contains($0) } ?? true ? "one of \(words.joined(separator: ", "))" : nil
            case .json: nil
            case .declared(let type): type.takesKind(of: value) ? nil : "a table or a list as it is declared"
            case .color: value.string.flatMap(Color.init) == nil ? "a color such as #161513 or white" : nil
            }
        if let expectation { return "\(self.scriptName) takes \(expectation), not \(value)" }
        guard case .declared(let type) = self.kind else { return nil }
        return NestedMemberCheck().problem(in: value, type, of: self.scriptName)
    }
}
