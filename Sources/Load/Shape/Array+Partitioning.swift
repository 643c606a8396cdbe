extension Array {
    /// Returns the first place whose element fulfils a condition that all elements after such a one fulfil, too; the
    /// end if none does. It looks at as many elements as their count has bits.
    func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
        var low = 0
        var high = self.count
        while low < high {
            let middle = (low + high) / 2
            if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
