extension Range<Int> {
    /// Finds a number by halving, among the places of a list whose elements have numbers that grow and may leave gaps.
    ///
    /// - Parameter numberAt: The number of the element at a place.
    /// - Returns: Its place; nil if no element has the number.
    func place(ofNumber number: Int, _ numberAt: (Int) -> Int) -> Int? {
        var places = self
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            let found = numberAt(middle)
            if found == number { return middle }
            places = found < number ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return nil
    }
}
