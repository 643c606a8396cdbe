/// The numbers of payment cards (ISO/IEC 7812-1): what their networks begin them with, and how long they are then.
///
/// The check digit alone is right in one of ten numbers.
enum CardNumber {
    /// The first four digits of cards with as many digits. Issuers of Maestro have taken what is left of 5 and 6, so
    /// that nothing of those is told apart.
    private static let issued: [(beginnings: ClosedRange<Int>, counts: ClosedRange<Int>)] = [
        (2200...2204, 16...19),  // Mir
        (2221...2720, 16...16), (5100...5599, 16...16),  // Mastercard
        (3000...3059, 14...19), (3090...3099, 14...19), (3600...3699, 14...19), (3800...3999, 14...19),  // Diners Club
        (3400...3499, 15...15), (3700...3799, 15...15),  // American Express
        (3528...3589, 16...19),  // JCB
        (4000...4999, 13...13), (4000...4999, 16...19),  // Visa
        (5000...5099, 13...19), (5600...6999, 13...19),  // Maestro, Discover, UnionPay, RuPay, Elo, Verve, Hipercard
        (8100...8201, 16...19),  // UnionPay, RuPay
        (8600...8600, 16...16), (9860...9860, 16...16),  // Uzcard, Humo
        (9704...9704, 16...19), (9792...9792, 16...16),  // NAPAS, Troy
    ]

    /// Returns whether some digits are the number of a payment card: whether they begin as one of their length does,
    /// and end in the right check digit (the formula of Luhn, ISO/IEC 7812-1, annex B).
    static func isOne(_ digits: [UInt8]) -> Bool {
        let beginning = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        guard Self.issued.contains(where: { $0.beginnings.contains(beginning) && $0.counts.contains(digits.count) })
        else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
            let value = Int(entry.element) << (entry.offset & 1)
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum % 10 == 0
    }
}
