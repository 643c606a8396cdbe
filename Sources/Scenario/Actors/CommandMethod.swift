import Machines

/// A method by which scripts give a command, as one object: a declaration has many parts, and each message that is sent
/// would count references to all of them.
final class CommandMethod {
    /// What is declared of it.
    let declaration: MethodDeclaration

    init(_ declaration: MethodDeclaration) {
        self.declaration = declaration
    }
}
