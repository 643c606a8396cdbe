import Machines

/// The names of what forms carry.
enum FormKeys {
    /// The names that the vendor gives a meaning, whichever form an account has.
    private static let vendor: Set = [
        "language", "department", "first_name", "name", "last_name", "phone", "email", "initial_question", "reference",
        "information", "overall", "knowledge", "responsiveness", "professionalism", "nps", "comments", "CustomUrl",
    ]

    /// The fields of the unavailable form that go over the wire, and the parameters that carry them.
    static let mail: [(key: String, parameter: String)] = [("email", "From"), ("subject", "Subject"), ("body", "Body")]

    /// The beginning of the names of an account's own fields.
    private static let own = "custom_"

    /// Returns who has no field of which name, and which was meant; nil if all names are right.
    ///
    /// The vendor takes names that are not on the form, so only those are refused that are almost in the letters of one
    /// that there is: what they carry would go to nobody.
    ///
    /// - Parameters:
    ///   - names: The names that were given.
    ///   - owner: What has the fields, as scripts know it.
    ///   - form: The form that is shown.
    static func mistake(in names: [String], of owner: String, on form: Form) -> String? {
        Self.mistake(in: names, of: owner, shown: form.fields.map(\.key))
    }

    /// Returns which preset has the name of no field, and which was meant; nil if all names are right.
    ///
    /// - Parameter presets: The names that were given, before any form is known.
    static func mistake(inPresets presets: some Sequence<String>) -> String? {
        Self.mistake(in: presets.sorted(), of: "external", shown: [])
    }

    private static func mistake(in names: [String], of owner: String, shown: [String]) -> String? {
        for name in names where !Self.vendor.contains(name) && !shown.contains(name) && !name.hasPrefix(Self.own) {
            let known = shown + Self.vendor.sorted()
            guard TextDistance.suggestion(for: name, among: known) != nil else { continue }
            return UnknownMember.text(name, of: owner, as: "field", among: known)
        }
        return nil
    }
}
