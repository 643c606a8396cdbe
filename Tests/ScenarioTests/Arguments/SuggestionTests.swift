import Machines
import Testing

@testable import Scenario

@Suite("What was meant by a misspelt word")
struct SuggestionTests {
    @Test(
        "the nearest known word is suggested, if any is near",
        arguments: [
            ("mesage", "message"), ("typng", "typing"), ("agnet", "agent"), ("queueu", "queue"), ("Queue", "queue"),
            ("zebra", nil), ("", nil), ("typing", "typing"), ("tpying", "typing"), ("gaent", "agent"),
            ("tnega", nil),
        ] as [(String, String?)])
    func suggestion(word: String, meant: String?) {
        let known = ["message", "typing", "agent", "queue"]
        #expect(TextDistance.suggestion(for: word, among: known) == meant)
    }
}
