import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Combinations of utterances")
struct UtteranceListsTests {
    private static func lists(_ counts: [Int]) throws -> UtteranceLists {
        try UtteranceLists(
            .object(
                JSONObject(
                    counts.enumerated().map { place, count in
                        ("l\(place)", .array((0..<count).map { .string("\(place)-\($0)") }))
                    })), "test")
    }

    private static func mistake(_ value: JSONValue) -> String? {
        do throws(UsageError) {
            _ = try UtteranceLists(value, "utterances.all")
            return nil
        } catch { return error.message }
    }

    @Test(
        "all combinations come in the order of counting, the last list first",
        arguments: [[2, 3], [1, 1, 1], [4], [3, 2, 2]])
    func all(counts: [Int]) throws {
        var expected: [[String: String]] = [[:]]
        for (place, count) in counts.enumerated() {
            expected = expected.flatMap { row in
                (0..<count).map { row.merging(["l\(place)": "\(place)-\($0)"]) { $1 } }
            }
        }
        let found = try Self.lists(counts).all().map { row in
            Dictionary(uniqueKeysWithValues: (row.object ?? [:]).map { ($0.0, $0.1.string ?? "") })
        }
        #expect(found == expected)
    }

    @Test(
        "each pair meets, no row is there twice, and there are at least as many as the two longest lists have pairs",
        arguments: [[2, 2, 2], [3, 3, 3, 3], [5, 2, 4], [1, 1], [2, 7], [2, 2, 2, 2, 2, 2, 2, 2]])
    func pairwise(counts: [Int]) throws {
        let rows = try Self.lists(counts).pairwise()
        #expect(Set(rows).count == rows.count)
        for left in counts.indices {
            for right in counts.indices where right > left {
                let pairs = Set(rows.map { [$0["l\(left)"], $0["l\(right)"]] })
                #expect(pairs.count == counts[left] * counts[right])
            }
        }
        let longest = counts.sorted().suffix(2).reduce(1, *)
        #expect(rows.count >= longest && rows.count <= counts.reduce(1, *))
    }

    @Test(
        "a sample is in order, has as many as are asked for, and all where that is more than there are",
        arguments: 0..<20)
    func sample(seed: UInt64) throws {
        let lists = try Self.lists([3, 4, 2])
        let all = try lists.all()
        for count in [1, 5, 23, 24, 25, 10_000] {
            var random = RandomSource(seed: seed)
            let sample = try lists.sample(count, using: &random)
            #expect(sample.count == min(count, 24))
            #expect(sample == all.filter { sample.contains($0) })
        }
    }

    @Test(
        "what are no lists is told with what is expected",
        arguments: [
            (
                "a",
                "utterances.all takes a list of utterances, or a table of lists such as { ask = { … }, thank = { … } }"
            ),
            (
                [:],
                "utterances.all takes a list of utterances, or a table of lists such as { ask = { … }, thank = { … } }"
            ),
            (["ask": "a"], "utterances.all: ask is a list of utterances that is not empty"),
            (["ask": ["a"], "end": []], "utterances.all: end is a list of utterances that is not empty"),
        ] as [(JSONValue, String)] as [(JSONValue, String)])
    func mistakes(value: JSONValue, message: String) {
        #expect(Self.mistake(value) == message)
    }

    @Test("at most twenty lists of a thousand utterances are taken, and more combinations than are counted refused")
    func limits() throws {
        let message = "utterances.all takes at most 20 lists of at most 1000 utterances"
        #expect(Self.mistake(.object(JSONObject((0...20).map { ("l\($0)", ["a"]) }))) == message)
        #expect(Self.mistake(.array((0...1000).map { .integer($0) })) == message)
        let most = try Self.lists([Int](repeating: 1000, count: 20))
        var random = RandomSource(seed: 1)
        #expect {
            try most.sample(1, using: &random)
        } throws: {
            ($0 as? UsageError)?.message.hasPrefix("utterances.sample has more combinations than can be counted")
                == true
        }
        #expect {
            try most.all()
        } throws: {
            ($0 as? UsageError)?.message.hasPrefix("utterances.all gives countless combinations") == true
        }
        #expect {
            try most.pairwise()
        } throws: {
            ($0 as? UsageError)?.message == "utterances.pairwise has more than 100000 pairs; give it shorter lists"
        }
    }
}
