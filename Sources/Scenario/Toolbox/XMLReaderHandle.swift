import XML

/// A reader of XML that a script holds.
final class XMLReaderHandle {
    /// How many readers a script has that still exist.
    final class Count {
        /// libexpat takes some kilobytes for each, of which the account of the script's memory knows nothing.
        static let most = 2_000

        fileprivate(set) var open = 0
    }

    let reader = XMLReader()
    private let count: Count

    init(count: Count) {
        self.count = count
        count.open += 1
    }

    deinit { self.count.open -= 1 }
}
