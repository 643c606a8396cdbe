import JSON
import Machines

/// Which table of a list comes closest to one that was to be there.
struct NearestElement {
    private let asked: Matcher
    private let place: Int
    private let mismatches: [Mismatch]

    /// Only so many elements of a list are looked at, and so many of their members are told.
    private static let most = (elements: 200, members: 3)

    /// Texts with more bytes are not compared, and what is shown has at most so many characters.
    private static let longest = (compared: 100, shown: 40)

    /// Looks for it; nil if none of the elements is a table.
    init?(to asked: [MemberMatcher], among elements: [JSONValue]) {
        let matcher = Matcher.members(asked)
        let all = elements.prefix(Self.most.elements).enumerated().compactMap { place, element in
            element.object == nil ? nil : (place: place, mismatches: matcher.mismatches(element))
        }
        guard let fewest = all.map(\.mismatches.count).min() else { return nil }
        let nearest = all.filter { $0.mismatches.count == fewest }
            .map { (candidate: $0, likeness: Self.likeness($0.mismatches)) }
        var best = nearest[0]
        for other in nearest where other.likeness > best.likeness { best = other }
        self.asked = matcher
        self.place = best.candidate.place
        self.mismatches = best.candidate.mismatches
    }

    /// How much texts that were found are like those that were asked for.
    private static func likeness(_ mismatches: [Mismatch]) -> Double {
        mismatches.reduce(0) { sum, mismatch in
            guard let wanted = mismatch.wantedText, let found = mismatch.found?.string,
                max(wanted.utf8.count, found.utf8.count) <= Self.longest.compared
            else { return sum }
            return sum + TextDistance.ratio(wanted, found)
        }
    }

    /// Returns what it has in place of what was asked for.
    ///
    /// - Parameter shown: What may be seen of the list.
    func text(shownAs shown: [JSONValue]) -> String? {
        guard shown.indices.contains(self.place) else { return nil }
        let paths = self.mismatches.map(\.path)
        let members = self.asked.mismatches(shown[self.place])
            .filter { !$0.path.isEmpty && paths.contains($0.path) }
            .prefix(Self.most.members)
            .map { mismatch in
                let name = mismatch.path.joined(separator: ".")
                return mismatch.found.map { "\(name) \($0.description.shortened(to: Self.longest.shown))" }
                    ?? "no \(name)"
            }
        guard !members.isEmpty else { return nil }
        return "nearest: element \(self.place + 1) with \(members.joined(separator: ", "))"
    }
}
