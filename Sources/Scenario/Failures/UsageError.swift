/// A script used the language wrongly: what is wrong and what to do.
///
/// It becomes a script error at the line of the call, never a failed expectation.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let message: String

    init(_ message: String) { self.message = message }

    var description: String { self.message }
}
