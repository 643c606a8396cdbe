/// Numbers that stand in a row, and which of them are a list, such as rooms, postcodes or bus lines.
///
/// One in ten numbers has a right check digit by chance (the formula of Luhn, ISO/IEC 7812-1, annex B), so in a longer
/// list some four numbers make a card number soon. The groups of a card are as good as random: five with the same first
/// digit are one in 10,000, and five in order are one in 60.
struct NumberRow {
    /// Fewer numbers are none: four may be those of a card.
    private static let shortestList = 5

    /// How many numbers there are.
    let count: Int

    /// The places of numbers that are a list, for each way in which they may be one. Two lists share a number at most.
    private let lists: [[Range<Int>]]

    /// Takes in numbers, each as its digits.
    init(_ numbers: [ArraySlice<UInt8>]) {
        self.count = numbers.count
        let isInList: [(ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool] = [
            { $0.first == $1.first }, { $0.lexicographicallyPrecedes($1) }, { $1.lexicographicallyPrecedes($0) },
        ]
        self.lists = isInList.map { isInList in
            var lists: [Range<Int>] = []
            var start = 0
            for place in numbers.indices {
                let next = place + 1
                if next < numbers.count, numbers[place].count == numbers[next].count,
                    isInList(numbers[place], numbers[next])
                {
                    continue
                }
                if next - start >= Self.shortestList { lists.append(start..<next) }
                start = next
            }
            return lists
        }
    }

    /// Returns which of some numbers that stand together are no part of a list: none of them is where all of them are.
    ///
    /// - Parameter places: Where they stand, each time so many, in their order.
    func outsideLists(_ places: [Range<Int>]) -> [Range<Int>] {
        self.lists.reduce(places) { places, lists in
            var rest = lists[...]
            return places.filter { place in
                rest = rest.drop { $0.upperBound < place.upperBound }
                return !(rest.first.map { $0.lowerBound <= place.lowerBound } ?? false)
            }
        }
    }
}
