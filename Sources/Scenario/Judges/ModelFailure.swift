/// Why there is no answer of a model: nothing is known about the text then.
struct ModelFailure: Error, Hashable, Sendable {
    let message: String

    init(_ message: String) { self.message = message }
}
