import Machines
public import Metrics

extension BuiltInMetric {
    /// The names of the tags by which samples of the metric are told apart.
    private var tagNames: [String] {
        if let part = FoundParts.tagName(of: self.rawValue) { return [part, "role"] }
        return switch self {
        case .users, .timerLateness, .droppedArrivals, .dataSent, .dataReceived: []
        default: ["role"]
        }
    }

    /// Returns why no sample of the metric will ever have some tags; nil if one may.
    ///
    /// A bound on what nobody counts holds whatever happens.
    ///
    /// - Parameters:
    ///   - tags: Those of a threshold.
    ///   - roles: The names of the roles that users play; empty if all are alike.
    public func obstacle(to tags: [Tag], roles: [String]) -> String? {
        for tag in tags {
            guard self.tagNames.contains(tag.name) else {
                let known = self.tagNames.map { "\"\($0)\"" }.joined(separator: " and ")
                return "samples of \(self.rawValue) have no tag \"\(tag.name)\""
                    + TextDistance.hint(
                        tag.name, among: self.tagNames, otherwise: known.isEmpty ? "" : "they have \(known)")
            }
            if tag.name == "status", !Self.isStatus(tag.value) {
                return "\"\(tag.value)\" is no status; it has three digits, as in \(self.rawValue){status=503}"
            }
            guard tag.name == "role", !roles.contains(tag.value) else { continue }
            guard !roles.isEmpty else { return "the users of this run have no roles" }
            return "there is no role \"\(tag.value)\""
                + TextDistance.hint(tag.value, among: roles, otherwise: "there are \(roles.joined(separator: ", "))")
        }
        return nil
    }

    /// Whether answers may be counted under a status: one by itself, or those of further ones together.
    private static func isStatus(_ value: String) -> Bool {
        // Others than those of three digits have other texts than those that are counted, as in 0503 and +503.
        value == FoundParts.others || value.utf8.count == 3 && Int(value).map { 100...999 ~= $0 } == true
    }
}
