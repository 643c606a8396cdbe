/// How a call reads in messages, such as `visitor:say`; put together only where somebody reads it.
struct CallName: CustomStringConvertible {
    /// On whom the method was called; nil for a function.
    var receiver: String?

    /// The function or method.
    let function: String

    var description: String { self.receiver.map { "\($0):\(self.function)" } ?? self.function }
}
