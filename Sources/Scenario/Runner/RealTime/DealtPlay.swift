/// What is dealt to a thread or an event loop to be played.
enum DealtPlay: Hashable, Sendable {
    /// A scenario, with all attempts.
    case scenario(Int)

    /// A try of one that several tries decide.
    case `try`(Int, number: Int)
}
