/// How a call reads in messages, such as `visitor:say`; put together only where somebody reads it.
struct CallName: CustomStringConvertible {
    /// On whom the method was called; nil for a function.
    var receiver: String?

    /// The function or method.
    let function: String

    /// The word that tells calls of one function apart, as the kind in `event "message"`; nil if none does.
    var word: String?

    var description: String {
        let name = self.receiver.map { "\($0):\(self.function)" } ?? self.function
        return self.word.map { "\(name) \"\($0)\"" } ?? name
    }
}
