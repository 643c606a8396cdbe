/// What a regular expression is compiled to: instructions that are all followed side by side.
///
/// No text makes it go back, so a match takes at most program length × text length steps, each of which looks a
/// character up in one set (``RegexCharacters``). That is why it knows neither back references nor look-around.
struct RegexProgram: Sendable {
    /// Where a character must not be taken but looked at.
    enum Place: Sendable {
        case start, end, boundary, noBoundary
    }

    /// One instruction.
    enum Instruction: Sendable {
        case character(RegexCharacters)
        /// Goes on at both places; the first is preferred.
        case split(Int, Int)
        case jump(Int)
        case place(Place)
        case accept
    }

    private(set) var instructions: [Instruction] = []

    /// How many instructions there are, and sets within the sets of them: what a step of all of them takes.
    private(set) var size = 0

    /// The number of the next instruction.
    var end: Int { self.instructions.count }

    /// Adds an instruction.
    ///
    /// - Returns: Its number.
    @discardableResult mutating func add(_ instruction: Instruction) -> Int {
        self.instructions.append(instruction)
        self.size += 1
        if case .character(let characters) = instruction { self.size += characters.setCount }
        return self.instructions.count - 1
    }

    /// Puts an instruction in the place of one that stood for it.
    mutating func set(_ number: Int, _ instruction: Instruction) {
        self.instructions[number] = instruction
    }

    /// Returns whether a whole text matches.
    ///
    /// - Parameter steps: How many instructions may be looked at; less by those that were. Nothing matches that needs
    ///   more.
    func matches(_ text: [Unicode.Scalar], steps: inout Int) -> Bool {
        var marks = [Int](repeating: -1, count: self.instructions.count)
        var current: [Int] = []
        var next: [Int] = []
        self.follow(0, at: 0, text, &marks, into: &current, &steps)
        for place in text.indices {
            guard !current.isEmpty, steps > 0 else { return false }
            next.removeAll(keepingCapacity: true)
            for number in current {
                if case .character(let characters) = self.instructions[number], characters.contains(text[place]) {
                    self.follow(number + 1, at: place + 1, text, &marks, into: &next, &steps)
                }
            }
            swap(&current, &next)
        }
        return current.contains { if case .accept = self.instructions[$0] { true } else { false } }
    }

    /// Returns the first match at or after a place: of those that begin there the one that is preferred, as in engines
    /// that go back.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - steps: How many instructions may be looked at; less by those that were.
    /// - Returns: Nil if there is none, or the steps are used up.
    func firstMatch(in text: [Unicode.Scalar], from start: Int, steps: inout Int) -> Range<Int>? {
        var marks = [Int](repeating: -1, count: self.instructions.count)
        var current: [(number: Int, begin: Int)] = []
        var next: [(number: Int, begin: Int)] = []
        var reached: [Int] = []
        var best: Range<Int>?
        for place in start...text.count {
            // A later beginning matters only while no earlier one has led to a match.
            if best == nil {
                reached.removeAll(keepingCapacity: true)
                self.follow(0, at: place, text, &marks, into: &reached, &steps)
                current += reached.map { ($0, place) }
            } else if current.isEmpty {
                break
            }
            guard steps > 0 else { return nil }
            next.removeAll(keepingCapacity: true)
            for (number, begin) in current {
                if case .accept = self.instructions[number] {
                    // What stands behind it in the list is less preferred.
                    best = begin..<place
                    break
                }
                guard place < text.count, case .character(let characters) = self.instructions[number],
                    characters.contains(text[place])
                else { continue }
                reached.removeAll(keepingCapacity: true)
                self.follow(number + 1, at: place + 1, text, &marks, into: &reached, &steps)
                next += reached.map { ($0, begin) }
            }
            swap(&current, &next)
        }
        return best
    }

    /// Adds the instructions that can be reached without taking a character; each at most once a place.
    ///
    /// - Parameter steps: Less by each that was looked at.
    private func follow(
        _ first: Int, at place: Int, _ text: [Unicode.Scalar], _ marks: inout [Int], into list: inout [Int],
        _ steps: inout Int
    ) {
        var waiting = [first]
        while let number = waiting.popLast() {
            guard marks[number] != place else { continue }
            marks[number] = place
            steps -= 1
            switch self.instructions[number] {
            case .split(let one, let other): waiting += [other, one]
            case .jump(let target): waiting.append(target)
            case .place(let wanted): if Self.holds(wanted, at: place, text) { waiting.append(number + 1) }
            case .character, .accept: list.append(number)
            }
        }
    }

    private static func holds(_ wanted: Place, at place: Int, _ text: [Unicode.Scalar]) -> Bool {
        switch wanted {
        case .start: return place == 0
        case .end: return place == text.count
        case .boundary, .noBoundary:
            let before = place > 0 && RegexCharacters.isWord(text[place - 1])
            let after = place < text.count && RegexCharacters.isWord(text[place])
            return (before != after) == (wanted == .boundary)
        }
    }
}
