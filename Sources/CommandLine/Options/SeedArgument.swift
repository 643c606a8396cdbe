import ArgumentParser

/// A seed on the command line.
enum SeedArgument {
    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> UInt64 {
        guard let seed = UInt64(text) else { throw ValidationError("write a whole number from 0 to \(UInt64.max)") }
        return seed
    }
}
