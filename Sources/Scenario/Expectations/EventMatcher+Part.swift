import JSON
import Machines

extension EventMatcher {
    /// What is said of an event that is not what must not be only because a text has to fit as a whole, such as one in
    /// which an expression of another tool would find its part; nil if it differs otherwise, or not at all.
    func partRemark(of event: ChatEvent) -> String? {
        if let kind = self.kind, kind != event.kind { return nil }
        var remark: String?
        for field in self.fields {
            let value = field.name == "raw" ? event.raw : event.fields[field.name]
            guard !field.matcher.mayMatch(value) else { continue }
            guard let value, let told = Self.partRemark(of: value, field.matcher) else { return nil }
            remark = remark ?? "\(field.name): \(told)"
        }
        return self.whole?.mayMatch(.object(event.fields)) ?? true ? remark : nil
    }

    private static func partRemark(of value: JSONValue, _ matcher: Matcher) -> String? {
        switch matcher {
        case .regex, .glob: matcher.remark(of: value, shownAs: value)
        default: nil
        }
    }
}
