import Machines

/// Where in its life cycle a client is (chapter "Initialization").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | created, destroyed | `initializeAsked` | ready | begins, connects |
/// | ready | `initializeAsked` | ready | refused |
/// | created | `connectAsked` | ready | begins |
/// | ready | `connectAsked` | ready | |
/// | created, ready | `destroyAsked` | destroyed | destroys |
struct LifeCyclePart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case created, ready, destroyed
    }

    /// What is asked of the client as a whole.
    enum Input: Sendable {
        case initializeAsked, connectAsked, destroyAsked
    }

    private(set) var state = State.created

    /// Takes in what was asked.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch (input, self.state) {
        case (.initializeAsked, .ready):
            return [.answer(.refused("the client is initialized already; call destroy first"))]
        case (.initializeAsked, _):
            self.state = .ready
            return [.begin, .connect]
        case (.connectAsked, .created):
            self.state = .ready
            return [.begin]
        case (.connectAsked, _): return []
        case (.destroyAsked, _):
            self.state = .destroyed
            return [.destroy]
        }
    }
}
