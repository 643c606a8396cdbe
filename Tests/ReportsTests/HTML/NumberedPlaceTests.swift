import Testing

@testable import Reports

@Suite("The place of a number in a list that is ordered by numbers")
struct NumberedPlaceTests {
    @Test("each number is found, and none that is not there", arguments: 0..<40)
    func gaps(count: Int) {
        let numbers = (0..<count).map { $0 * $0 + 3 }
        for number in -1...(count * count + 4) {
            let place = numbers.indices.place(ofNumber: number) { numbers[$0] }
            #expect(place == numbers.firstIndex(of: number))
        }
    }
}
