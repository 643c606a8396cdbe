import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("Secrets in the lines of transcripts")
struct TranscriptSecretsTests {
    private static func entry(_ fields: JSONObject, without secrets: [String]) -> TranscriptEntry {
        var masker = SecretMasker()
        for secret in secrets { masker.add(secret, isLearnt: true) }
        return TranscriptEntry(
            actor: "ada", direction: .observed, name: "n", fields: fields, varyingFields: [], without: masker)
    }

    @Test(
        "what is stored holds no secret, and fits whether or not anybody knows it",
        arguments: [
            (["x": "tok-1815"], ["x": "<any>"]), (["x": "a tok-1815, <b>"], ["x": "a <any>, <b>"]),
            (["x": "<number> tok-1815"], ["x": "\\<number> <any>"]), (["x": "\\tok-1815"], ["x": "\\\\<any>"]),
            (["x": 48_151_623], ["x": "<any>"]), (["x": ["tok-1815", 1]], ["x": ["<any>", 1]]),
            (["x": ["y": ["z": "tok-1815 !"]]], ["x": ["y": ["z": "<any> !"]]]),
            (["x": ["tok-1815": 1, "y": 2]], ["x": ["y": 2]]),
            (["x": "***", "y": "tok-1815"], ["x": "***", "y": "<any>"]),
            (["password": "tok-1815", "x": 1], ["password": "***", "x": 1]),
        ] as [(JSONObject, JSONObject)])
    func storing(fields: JSONObject, expected: JSONObject) {
        let known = Self.entry(fields, without: ["tok-1815", "48151623"])
        let stored = known.stored
        #expect(stored.fields == expected)
        #expect(TranscriptTemplate.fits(stored, known))
        let unknown = Self.entry(fields, without: [])
        #expect(TranscriptTemplate.fits(stored, unknown))
        // The other way around nothing was hidden when it was stored.
        #expect(TranscriptTemplate.fits(unknown.stored, known))
    }

    @Test("people see no secret of what was found")
    func shown() {
        let known = Self.entry(["x": "a tok-1815", "y": [48_151_623]], without: ["tok-1815", "48151623"])
        #expect(known.shownFields == ["x": "a ***", "y": ["***"]])
        #expect(known.fields == ["x": "a tok-1815", "y": [48_151_623]])
    }

    @Test("a text with more secrets than a template has room for is stored as any text")
    func many() {
        let text = String(repeating: "tok-1815 and ", count: 200)
        let known = Self.entry(["x": .string(text)], without: ["tok-1815"])
        #expect(known.stored.fields == ["x": "<any>"])
    }
}
