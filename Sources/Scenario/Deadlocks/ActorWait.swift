/// A wait for what an actor hears of, which is given up once nothing can bring that any more.
protocol ActorWait: AnyObject {
    /// Whom it comes to.
    var actor: Actor { get }

    /// Whether the waiter goes on if it never comes.
    var isOptional: Bool { get }

    /// Ends the wait because nothing can meet it any more.
    ///
    /// - Returns: False if it goes on waiting.
    func giveUp() -> Bool
}
