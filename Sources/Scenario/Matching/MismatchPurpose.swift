/// What one wants to know of a value by its mismatches.
enum MismatchPurpose {
    /// Whether it fits at all.
    case verdict
    /// What a failure says of it.
    case failure

    /// Looks for the order in which a list has what is asked of it, if a failure is to say so.
    ///
    /// A verdict needs none: each element may have to be compared with each, in the lists within the elements again.
    ///
    /// - Parameters:
    ///   - count: How many elements are asked for, which is how many there are.
    ///   - fits: Returns whether an element is one that is asked for, by the place of that and its own.
    func order(count: Int, fits: (_ asked: Int, _ found: Int) -> Bool) -> ElementOrder? {
        self == .failure ? ElementOrder(count: count, fits: fits) : nil
    }
}
