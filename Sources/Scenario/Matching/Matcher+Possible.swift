import JSON
import Patterns

extension Matcher {
    /// Whether a value matches, or cannot be told from one that does: because a text is too long to be searched, or by
    /// people, who see nothing of what makes the difference.
    ///
    /// What must not match is broken by it: a ban that a long text gets round would be none.
    func mayMatch(_ value: JSONValue?) -> Bool {
        guard let value else { return self.fits(nil) }
        switch self {
        case .regex, .template:
            return value.string.map(TextRegex.isTooLong) ?? false || self.fits(value)
        case .equal(let expected): return expected.looksSame(as: value)
        case .empty: return value.object != nil || self.fits(value)
        case .containsText(let part):
            return self.fits(value)
                || SeenText(of: value.string, besides: part).map { $0.contains(SeenText(part)) } ?? false
        case .glob(let glob):
            return self.fits(value)
                || SeenText(of: value.string, besides: glob.pattern).map(glob.matches) ?? false
        case .schema(let schema):
            return self.fits(value) || schema.hasPattern && Self.holdsLongText(value)
        case .part(let part): return part.fits(value) || self.searches && Self.holdsLongText(value)
        // What may match may not be excluded, and what matches for certain is.
        case .not(let matcher): return !matcher.fits(value)
        case .capture(_, let matcher): return matcher.mayMatch(value)
        case .oneOf(let matchers): return matchers.contains { $0.mayMatch(value) }
        case .allOf(let matchers): return matchers.allSatisfy { $0.mayMatch(value) }
        case .members(let members):
            guard let object = value.object else { return self.fits(value) }
            return members.allSatisfy { $0.matcher.mayMatch($0.value(in: object)) }
        case .elements(let matchers):
            guard let elements = value.array, elements.count == matchers.count else { return false }
            return zip(matchers, elements).allSatisfy { $0.mayMatch($1) }
        case .hasElement(let matcher): return value.array?.contains { matcher.mayMatch($0) } ?? false
        case .path(let path, _, let matcher):
            let found = path.values(in: value)
            return found.isEmpty ? matcher.mayMatch(nil) : found.contains { matcher.mayMatch($0) }
        case .json(let matcher): return Self.content(value).map { matcher.mayMatch($0) } ?? false
        default: return self.fits(value)
        }
    }

    /// Whether texts are searched for something.
    var searches: Bool {
        self.holds { matcher in
            switch matcher {
            case .regex, .template: true
            case .schema(let schema): schema.hasPattern
            default: false
            }
        }
    }

    /// Whether a function of the script is called. On a value that it was not asked about it may raise, which ends the
    /// scenario.
    var callsScript: Bool {
        self.holds { if case .custom = $0 { true } else { false } }
    }

    /// Returns whether one of the matchers that it is made of is such a one; of one made of no others, whether it is.
    func holds(_ isMeant: (Matcher) -> Bool) -> Bool {
        switch self {
        case .not(let matcher), .capture(_, let matcher), .hasElement(let matcher), .path(_, _, let matcher),
            .json(let matcher), .count(let matcher):
            matcher.holds(isMeant)
        case .oneOf(let matchers), .allOf(let matchers), .elements(let matchers):
            matchers.contains { $0.holds(isMeant) }
        case .members(let members): members.contains { $0.matcher.holds(isMeant) }
        case .part(let part): part.holds(isMeant)
        default: isMeant(self)
        }
    }

    /// Whether every table is what is asked for, whatever is in it.
    var acceptsEveryTable: Bool {
        switch self {
        case .anything, .type(.table): true
        case .members(let members): members.isEmpty
        case .capture(_, let matcher): matcher.acceptsEveryTable
        case .allOf(let matchers): matchers.allSatisfy(\.acceptsEveryTable)
        case .oneOf(let matchers): matchers.contains(where: \.acceptsEveryTable)
        case .not(.absent): true
        default: false
        }
    }

    /// Whether one of the texts in a value is too long to be searched.
    static func holdsLongText(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): TextRegex.isTooLong(text)
        case .array(let elements): elements.contains(where: Self.holdsLongText)
        case .object(let members): members.contains { Self.holdsLongText($1) }
        default: false
        }
    }
}
