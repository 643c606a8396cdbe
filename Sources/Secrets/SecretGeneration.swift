/// Values that became known together, with the forms in which they are looked for.
struct SecretGeneration: Sendable {
    private(set) var index = SecretIndex()
    private(set) var known: Set<[UInt8]> = []

    /// Adds a value with the forms that no decoding leads back to it.
    mutating func add(_ value: String) {
        var form = Array(value.utf8)
        guard self.known.insert(form).inserted else { return }
        self.index.add(form)
        // A value that looks escaped itself can lose its escapes together with those that were put around it.
        while let plain = DecodedText.unescaped(form)?.bytes, plain.count >= SecretMasker.leastLength {
            form = plain
            self.index.add(form)
        }
        // Of a number with zeros at its end or very many digits, JSON and Lua know another form.
        if let number = Double(value), number.isFinite {
            let whole = Int64(exactly: number).map { "\($0)" }
            for text in [whole, "\(number)"].compactMap(\.self) where text != value && SecretMasker.canHide(text) {
                self.index.add(Array(text.utf8))
            }
        }
    }

    /// Adds bytes that are no text.
    mutating func add(_ bytes: [UInt8]) {
        if self.known.insert(bytes).inserted { self.index.add(bytes) }
    }
}
