/// How the values of a form are checked.
enum FormRules: String, CaseIterable, Sendable {
    /// As the vendor's iOS engine does: whole-string patterns, no spaces in phone numbers.
    case strict
    /// As the vendor's browser window does: an address is anything with `@` and a dot after it.
    case lenient

    /// Why a value is not accepted; the raw value is what scripts see.
    enum Fault: String, Sendable {
        case missing
        case invalidEmail = "invalid_email"
        case invalidPhone = "invalid_phone"
        case invalidRating = "invalid_rating"
        /// Not one of the choices that the field offers.
        case notAnOption = "not_an_option"
    }

    /// The stars that a rating has: from one to five, without fractions.
    static let stars: Set<String> = ["1", "2", "3", "4", "5"]

    /// Returns the fields whose values are missing or have the wrong form, in the order of the form.
    func faults(in form: Form, values: [String: String]) -> [(key: String, fault: Fault)] {
        form.fields.compactMap { field in
            self.fault(of: field, value: values[field.key] ?? field.initialValue ?? "").map { (field.key, $0) }
        }
    }

    private func fault(of field: FormField, value: String) -> Fault? {
        guard field.type != .label else { return nil }
        guard !value.isEmpty else { return field.isRequired ? .missing : nil }
        switch field.type {
        case .email: return self.isEmail(value) ? nil : .invalidEmail
        case .phone: return self.isPhone(value) ? nil : .invalidPhone
        case .rating: return Self.stars.contains(value) ? nil : .invalidRating
        case .select, .radio:
            // A field without choices is one that the server did not fill; anything can stand there.
            let isOffered = field.options.isEmpty || field.options.contains { $0.value == value }
            return isOffered ? nil : .notAnOption
        case .text, .label: return nil
        }
    }

    /// Returns whether a text has the form of an e-mail address.
    func isEmail(_ text: String) -> Bool {
        switch self {
        case .strict: Self.isStrictEmail(text)
        case .lenient: text.split(whereSeparator: \.isWhitespace).contains { Self.holdsEmail(Array($0)) }
        }
    }

    /// The whole text matches `[A-Z0-9a-z._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,4}`.
    private static func isStrictEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        guard parts[0].utf8.allSatisfy({ Self.isAlphanumeric($0) || "._%+-".utf8.contains($0) }) else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, 2...4 ~= last.utf8.count else { return false }
        return last.utf8.allSatisfy { Self.isAlphanumeric($0) && $0 > UInt8(ascii: "9") }
            && labels.dropLast().allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { Self.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// The run of characters contains `\S+@\S+\.\S+`.
    private static func holdsEmail(_ run: [Character]) -> Bool {
        guard let at = run.dropFirst().firstIndex(of: "@"), at + 2 < run.count else { return false }
        return run[(at + 2)...].dropLast().contains(".")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Returns whether a text has the form of a phone number.
    func isPhone(_ text: String) -> Bool {
        switch self {
        case .strict: !text.isEmpty && text.utf8.allSatisfy(Self.isPhoneCharacter)
        case .lenient:
            !text.trimmed.isEmpty
                && text.trimmed.utf8.allSatisfy {
                    Self.isPhoneCharacter($0) || $0 == UInt8(ascii: " ") || $0 | 0x20 == UInt8(ascii: "x")
                }
        }
    }

    private static func isPhoneCharacter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-+*#,;()".utf8.contains(byte)
    }
}
