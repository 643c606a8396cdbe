import JSON
import Testing

@testable import RunRecord

@Suite("What the answers of language models took")
struct ModelUsageTests {
    private static func observed(_ kind: String, _ fields: JSONObject) -> RunEntry {
        .happened(
            scenario: 0, atNanoseconds: 0, .observed(actor: "user", number: 1, kind: kind, fields: fields, raw: nil))
    }

    private static func usage(of fields: [JSONObject]) -> ModelUsage {
        var usage = ModelUsage()
        for fields in fields { usage.record(Self.observed("usage", fields)) }
        return usage
    }

    @Test("tokens, costs and times of all answers add up, and the longest time is kept")
    func sums() {
        let usage = Self.usage(of: [
            ["prompt_tokens": 3, "completion_tokens": 5, "cost": .double(0.1), "time_to_first_token": .double(0.2)],
            ["prompt_tokens": 4, "completion_tokens": 0, "time_to_first_token": .double(0.4)],
            ["completion_tokens": 7, "cost": .double(0.2)],
        ])
        #expect(usage.answers == 3 && usage.inputTokens == 7 && usage.outputTokens == 12)
        // 0.1 and 0.2 are no such sums of fractions as make 0.30000000000000004.
        #expect(usage.pricedAnswers == 2 && usage.cost == 0.3)
        #expect(usage.firstTokens == 2 && usage.firstTokenNanoseconds == 600_000_000)
        #expect(usage.longestFirstTokenNanoseconds == 400_000_000)
        #expect(
            usage.text
                == "3 answers took 7 tokens in and 12 out, cost 0.3 (of 2), first token after 0.3 s (0.4 s at most)")
    }

    @Test(
        "what is no number of tokens, no cost and no time is as if it had not been told",
        arguments: [
            .integer(-1 as Int64), .double(1.5), .double(-0.5), .double(1e300), .double(.infinity), .double(.nan), "7",
            .null,
            true, [], [:], .integer(Int64.max), .integer(Int64.min), .numeral("1e999"),
        ] as [JSONValue])
    func nonsense(value: JSONValue) {
        let usage = Self.usage(of: [["prompt_tokens": value, "completion_tokens": value]])
        #expect(usage.isEmpty && usage == ModelUsage(), "\(usage)")
        guard value != .double(1.5) else { return }
        let rest = Self.usage(of: [["cost": value, "time_to_first_token": value]])
        #expect(rest.isEmpty && rest == ModelUsage(), "\(rest)")
    }

    @Test("other events count nothing")
    func others() {
        var usage = ModelUsage()
        usage.record(Self.observed("message", ["prompt_tokens": 3, "completion_tokens": 5, "cost": 1]))
        #expect(usage.isEmpty)
    }

    @Test("the greatest numbers stay the greatest")
    func greatest() {
        var usage = ModelUsage()
        for _ in 0..<20 {
            usage.add(
                Self.usage(of: [
                    [
                        "prompt_tokens": .integer(1_000_000_000_000_000 as Int64),
                        "cost": .integer(1_000_000_000 as Int64),
                    ]
                ]))
        }
        #expect(usage.inputTokens == 20_000_000_000_000_000)
        #expect(usage.costNanos == .max && usage.answers == 20)
    }

    @Test("the parts of a run add up to the whole, in any order")
    func parts() {
        let fields: [JSONObject] = [
            ["prompt_tokens": 3, "completion_tokens": 5, "cost": .double(0.1), "time_to_first_token": .double(0.5)],
            ["prompt_tokens": 4, "cost": .double(0.7)], ["time_to_first_token": .double(0.25)],
        ]
        let whole = Self.usage(of: fields)
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            var sum = ModelUsage()
            for place in order { sum.add(Self.usage(of: [fields[place]])) }
            #expect(sum == whole)
        }
    }
}
