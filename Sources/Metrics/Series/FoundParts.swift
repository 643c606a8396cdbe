/// Parts of a metric that only a run finds, such as the names of its requests: so many are told apart by a tag, and
/// further ones are counted together.
public enum FoundParts {
    /// The value of the tag of those that are counted together.
    public static let others = "other"

    private static let tagNames = ["request": "name", "step": "name", "http_answers": "status"]

    /// Returns the name of the tag that tells the parts of a metric apart; nil if it has no such parts.
    ///
    /// - Parameter metric: Its name.
    public static func tagName(of metric: String) -> String? { Self.tagNames[metric] }
}
