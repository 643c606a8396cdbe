internal import Machines

/// A change of a part's state.
public struct StateChange: Hashable, Sendable, CustomStringConvertible {
    public let from: String
    public let input: String
    public let to: String

    /// Creates a change, as a row of a transition table says it.
    public init(_ from: String, _ input: String, _ to: String) {
        self.from = from
        self.input = input
        self.to = to
    }

    public var description: String { "\(self.from) on \(self.input) → \(self.to)" }
}

/// Walks a part of a machine through its states at random, so that a test can hold what happens against the transition
/// table of the part: nothing else, and all of it.
public struct TransitionWalk<Part> {
    /// Something that can happen to the part.
    public struct Input {
        let name: String
        let isPossible: (Part) -> Bool
        let act: (inout Part) -> Void

        /// Creates an input.
        ///
        /// - Parameters:
        ///   - name: Its name in the table.
        ///   - isPossible: Whether the machine around the part can let it happen now.
        ///   - act: Lets it happen.
        public init(
            _ name: String, if isPossible: @escaping (Part) -> Bool = { _ in true }, act: @escaping (inout Part) -> Void
        ) {
            self.name = name
            self.isPossible = isPossible
            self.act = act
        }
    }

    private let start: Part
    private let state: (Part) -> String
    private let inputs: [Input]

    /// Prepares for walks from a part that is new.
    public init(_ start: Part, state: @escaping (Part) -> String, inputs: [Input]) {
        self.start = start
        self.state = state
        self.inputs = inputs
    }

    /// Takes so many steps, beginning anew now and then, and returns the changes of state that were seen.
    ///
    /// An input that was never possible is among them, as no table has it: what a walk never gives proves nothing.
    ///
    /// - Parameter givesAll: Whether that is so; a part may be set up so that some of its inputs never come.
    public func changes(steps: Int = 5_000, seed: UInt64 = 1, givesAll: Bool = true) -> Set<StateChange> {
        var random = RandomSource(seed: seed)
        var part = self.start
        var seen: Set<StateChange> = []
        var given: Set<String> = []
        for _ in 0..<steps {
            if Int.random(in: 0..<20, using: &random) == 0 { part = self.start }
            let possible = self.inputs.filter { $0.isPossible(part) }
            guard let input = possible.randomElement(using: &random) else { continue }
            let before = self.state(part)
            given.insert(input.name)
            input.act(&part)
            let after = self.state(part)
            if before != after { seen.insert(StateChange(before, input.name, after)) }
        }
        guard givesAll else { return seen }
        let missing = Set(self.inputs.map(\.name)).subtracting(given)
        return seen.union(missing.map { StateChange("no state", $0, "never given") })
    }
}
