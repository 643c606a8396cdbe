import JSON
import Machines
import Patterns

extension Matcher {
    /// Whether a failure says more of a value that does not fit than the value itself; see ``remark(of:shownAs:)``.
    var remarks: Bool {
        switch self {
        case .absent, .empty, .json, .regex, .glob, .fuzzy, .wordErrorRate, .tokenSet, .template, .not(.empty),
            .not(.personalData), .not(.leaks):
            true
        default: false
        }
    }

    /// What a failure says besides of a value that does not fit: how far off it is, where it stops to fit, or what was
    /// found in it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - shown: What may be seen of it; parts are of this one.
    func remark(of value: JSONValue, shownAs shown: JSONValue) -> String? {
        switch self {
        case .absent where value.isNull:
            return "is null, not absent; json.null asks for null, and match.one_of { match.absent, json.null } for "
                + "either"
        case .empty where value.object != nil:
            return "{} asks for a table in which nothing stands; match.type \"table\" accepts any"
        case .not(.empty) where value.object != nil:
            return "{} is any table where it must not be; match.is_not(match.equals {}) refuses an empty one alone"
        case .equal(let wanted) where wanted.isWrittenLike(value):
            let (found, asked) = value.string == nil ? ("number", "text") : ("text", "number")
            return "a \(found), and a \(asked) is expected; the values of a CSV are texts, and tonumber(text) reads one"
        // Elsewhere such an expression looks for a part.
        case .regex(let regex):
            guard let text = value.string, !regex.ranges(in: text, limit: 1).isEmpty else { return nil }
            return "a part of it matches, and all of it has to: put .* before and behind, or use match.contains"
        case .glob(let glob):
            guard let text = value.string, Glob("*\(glob.pattern)*").matches(text) else { return nil }
            return "a part of it is like that, and all of it has to be: put * before and behind"
        case .fuzzy(let wanted, let least):
            guard let text = value.string else { return nil }
            return "\(Self.percent(TextDistance.ratio(wanted, text), besides: least)) alike"
        case .wordErrorRate(let wanted, let most):
            guard let text = value.string else { return nil }
            let rate = TextDistance.wordErrorRate(wanted: wanted, found: text)
            return "a word error rate of \(Self.percent(rate, besides: most))"
        case .tokenSet(let wanted, let least):
            guard let text = value.string else { return nil }
            return "\(Self.percent(TextDistance.tokenSetRatio(wanted, text), besides: least)) the same"
        case .json: return shown.string.flatMap { JSONReader.ambiguity(in: $0.utf8) }
        case .template(let template): return shown.string.flatMap(template.misfit)
        case .not(.personalData(let kinds)):
            return shown.firstText(withNumbers: true) { text in
                kinds.lazy.compactMap { kind in kind.found(in: text).map { "\(kind.phrase): \(JSONValue.string($0))" } }
                    .first
            }
        case .not(.leaks(let detector)):
            return shown.firstText(detector.leaked).map { "it says \(JSONValue.string($0))" }
        default: return nil
        }
    }

    /// A share in percent, as exactly as it takes to see that it is not the one that was asked for.
    private static func percent(_ share: Double, besides limit: Double) -> String {
        var text = ""
        for scale in [1.0, 10, 100] {
            let (rounded, other) = ((share * 100 * scale).rounded() / scale, (limit * 100 * scale).rounded() / scale)
            text = "\(Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)") %"
            if rounded != other { break }
        }
        return text
    }
}

extension PersonalData {
    /// Texts are divided into at most so many words, and what is looked for has at most so many of them.
    private static let mostWords = (ofText: 2_000, ofData: 8)

    /// Returns the words of a text that hold such data; nil if they are not to be told from others.
    fileprivate func found(in text: String) -> String? {
        let words = text.split(maxSplits: Self.mostWords.ofText, whereSeparator: \.isWhitespace)
        for count in 1...Self.mostWords.ofData where count <= words.count {
            for first in 0...(words.count - count) {
                let part = text[words[first].startIndex..<words[first + count - 1].endIndex]
                // What remains of a long text is no word.
                if part.utf8.count <= 200, self.isFound(in: String(part)) { return String(part) }
            }
        }
        return nil
    }
}
