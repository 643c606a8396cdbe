import Testing

@testable import Scenario

@Suite("Card numbers")
struct CardNumberTests {
    /// What networks and payment services give for tests, and the first number of a range and length.
    @Test(
        "a card of each network is found",
        arguments: [
            ("Visa", "4111111111111111"), ("Visa", "4222222222222"), ("Visa", "4000000000000000006"),
            ("Mastercard", "5555555555554444"), ("Mastercard", "2223003122003222"), ("Mastercard", "2720992593319364"),
            ("American Express", "378282246310005"), ("American Express", "343434343434343"),
            ("Diners Club", "30569309025904"), ("Diners Club", "38520000023237"), ("Diners Club", "36227206271667"),
            ("Diners Club", "3056930009020004"), ("Discover", "6011000990139424"), ("Discover", "6445644564456445"),
            ("Discover", "6500000000000000003"), ("JCB", "3530111333300000"), ("JCB", "3566002020360505"),
            ("JCB", "3528000000000007"), ("JCB", "3589000000000000009"), ("UnionPay", "6200000000000005"),
            ("UnionPay", "6205500000000000004"), ("Maestro", "6759649826438453"), ("Maestro", "5000550000000029"),
            ("Maestro", "6304000000000000"), ("Maestro", "5600000000000000002"), ("Mir", "2200000000000004"),
            ("RuPay", "6074849200004917"), ("RuPay", "8172000000000005"), ("Troy", "9792030394440796"),
            ("Hipercard", "6062828888666688"), ("Elo", "6362970000457013"), ("Uzcard", "8600000000000007"),
            ("Humo", "9860000000000000"), ("NAPAS", "9704000000000000"), ("NAPAS", "9704000000000000008"),
        ])
    func networks(network: String, number: String) {
        #expect(PersonalData.card.isFound(in: "my card is \(number)"), "\(network)")
    }

    @Test(
        "a right check digit makes no card where no network has such a beginning of that length",
        arguments: [
            "41234567890120", "412345678901233", "555555555555442", "5100000000000000003", "22230031220032214",
            "3400000000000018", "37000000000000010", "3100000000000003", "3527000000000008", "3590000000000000",
            "30600000000001", "3782822463105", "2220000000000000", "2721000000000004", "8300000000000000",
            "213100000000001", "1234567890123452", "7000000000000005",
        ])
    func others(number: String) {
        #expect(!PersonalData.card.isFound(in: number))
    }
}
