import JSON

extension Matcher {
    /// Collects what the matcher captures of a value that it accepts.
    ///
    /// - Parameters:
    ///   - value: The value, or nil where nothing stands.
    ///   - captures: What was captured so far, by name; the first capture of a name stays.
    func capture(_ value: JSONValue?, into captures: inout JSONObject) {
        switch (self, value) {
        case (.capture(let name, let matcher), let value?):
            if captures[name] == nil { captures[name] = matcher.reading(of: value) }
            matcher.capture(value, into: &captures)
        case (.template(let template), .string(let text)?):
            for (name, value) in template.captures(in: text) ?? [:] where captures[name] == nil {
                captures[name] = value
            }
        case (.members(let members), .object(let object)?):
            for member in members { member.matcher.capture(member.value(in: object), into: &captures) }
        case (.elements(let matchers), .array(let elements)?):
            for (matcher, element) in zip(matchers, elements) { matcher.capture(element, into: &captures) }
        case (.allOf(let matchers), _): for matcher in matchers { matcher.capture(value, into: &captures) }
        case (.oneOf(let matchers), _):
            matchers.first { $0.fits(value) }?.capture(value, into: &captures)
        case (.hasElement(let matcher), .array(let elements)?):
            guard let element = elements.first(where: matcher.fits) else { return }
            matcher.capture(element, into: &captures)
        case (.path(let path, _, let matcher), let value?):
            guard let found = path.values(in: value).first(where: matcher.fits) else { return }
            matcher.capture(found, into: &captures)
        case (.json(let matcher), let value?): matcher.capture(Matcher.content(value), into: &captures)
        case (.part(let part), let value?): part.capture(value, into: &captures)
        default: return
        }
    }

    /// The names under which the matcher may capture something, those of every alternative among them.
    var captureNames: [String] {
        switch self {
        case .capture(let name, let matcher): [name] + matcher.captureNames
        case .template(let template): template.holeNames
        case .members(let members): members.flatMap(\.matcher.captureNames)
        case .elements(let matchers), .allOf(let matchers), .oneOf(let matchers): matchers.flatMap(\.captureNames)
        case .hasElement(let matcher), .path(_, _, let matcher), .json(let matcher): matcher.captureNames
        case .part(let part): part.captureNames
        default: []
        }
    }

    /// What a script gets of a captured value: what it was read as, if a type was asked for.
    private func reading(of value: JSONValue) -> JSONValue {
        if case .typed(let type) = self { type.value(of: value) ?? value } else { value }
    }
}
