import JSON
import Machines
import Testing

@testable import Scenario

/// What a matcher says of a value, made without a script around it.
enum MatcherProbe {
    /// Reads a matcher from what the constructors of `match` give.
    static func matcher(_ value: JSONValue) throws(UsageError) -> Matcher {
        try MatcherReader(test: { number in number == 7 ? { $0.integer == 7 } : nil }).matcher(value)
    }

    /// Returns where a value differs, one line each: place, what was expected, what was found.
    static func lines(_ matcher: JSONValue, _ value: JSONValue?) throws -> [String] {
        let matcher = try Self.matcher(matcher)
        let mismatches = matcher.mismatches(value)
        #expect(matcher.fits(value) == mismatches.isEmpty)
        return mismatches.map { mismatch in
            let place = mismatch.path.isEmpty ? "" : mismatch.path.joined(separator: ".") + ": "
            return "\(place)expected \(mismatch.expected), found \(mismatch.found { $0.description })"
        }
    }

    /// Returns what a matcher captures of a value that it accepts; nil if it does not accept it.
    static func captures(_ matcher: JSONValue, _ value: JSONValue) throws -> JSONObject? {
        let matcher = try Self.matcher(matcher)
        guard matcher.fits(value) else { return nil }
        var captures = JSONObject()
        matcher.capture(value, into: &captures)
        // What a script may ask for is told by the matcher, whatever it was that it accepted.
        #expect(Set(captures.names).isSubset(of: matcher.captureNames))
        return captures
    }

    /// Returns the message of a matcher that cannot be read.
    static func mistake(_ value: JSONValue) -> String? {
        do throws(UsageError) {
            _ = try Self.matcher(value)
            return nil
        } catch { return error.message }
    }
}
