import ArgumentParser

/// `-`, which names standard output to many programs.
enum StandardOutputName {
    /// Refuses it for what is written to a file and nowhere else: a file of that name would be looked for in vain.
    ///
    /// - Parameters:
    ///   - path: What the command line gives; nil if it gives nothing.
    ///   - option: For what.
    /// - Throws: A `ValidationError` that says what to do.
    static func refuse(_ path: String?, for option: String) throws {
        guard path == "-" else { return }
        throw ValidationError(
            "\(option) writes a file; - is standard output, which only --tap writes to. Name a file, or write ./- for one "
                + "of that name")
    }
}
