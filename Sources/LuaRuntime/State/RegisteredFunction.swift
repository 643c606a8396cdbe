/// A host function in the table of a state.
final class RegisteredFunction {
    let function: HostFunction
    /// How many values come before the argument 1: the receiver of a method.
    let offset: Int32

    init(function: HostFunction, offset: Int32) {
        self.function = function
        self.offset = offset
    }
}
