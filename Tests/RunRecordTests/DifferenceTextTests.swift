import RunRecord
import Testing

@Suite("Differences as text")
struct DifferenceTextTests {
    @Test("Paths stand in one column, carets under what is marked, and no line where nothing is")
    func lines() {
        let differences = [
            ValueDifference(
                path: "text", expected: MarkedText(parts: ["\"A-1", "0", "01\""]),
                found: MarkedText(parts: ["\"A-1", "O", "01\""])),
            ValueDifference(path: "n", expected: MarkedText("1"), found: MarkedText("2")),
        ]
        #expect(
            DifferenceText(differences).lines == [
                "text  expected \"A-1001\"", "                   ^", "      found    \"A-1O01\"",
                "                   ^", "n     expected 1", "      found    2",
            ])
        #expect(
            DifferenceText([ValueDifference(path: "", expected: MarkedText("1"), found: MarkedText("2"))]).lines == [
                "expected 1", "found    2",
            ])
    }
}
