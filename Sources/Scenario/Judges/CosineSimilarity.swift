/// How near two texts are in meaning, by their embeddings: `match.means`.
enum CosineSimilarity {
    /// Returns the cosine of the angle between two vectors to six digits, which is more than models agree with
    /// themselves; nil where one has no direction.
    ///
    /// - Precondition: The vectors have the same length.
    static func of(_ left: [Double], _ right: [Double]) -> Double? {
        func product(_ left: [Double], _ right: [Double]) -> Double {
            zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let lengths = (product(left, left) * product(right, right)).squareRoot()
        guard lengths > 0, lengths.isFinite else { return nil }
        return (max(-1, min(1, product(left, right) / lengths)) * 1e6).rounded() / 1e6
    }
}
