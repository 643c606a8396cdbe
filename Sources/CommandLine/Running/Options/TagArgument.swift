import ArgumentParser
import Scenario

/// Reads tag expressions of the command line.
enum TagArgument {
    /// - Throws: A `ValidationError` that says what is wrong.
    @Sendable static func read(_ text: String) throws -> TagExpression {
        do throws(TagExpression.SyntaxError) {
            return try TagExpression(text)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
