/// Writes XML that each reader understands, or says why it cannot.
public enum XMLWriter {
    /// Returns an element with all that it holds as text, without a declaration.
    ///
    /// - Throws: ``XMLProblem`` if a name is invalid, an attribute is repeated, or a text has characters that XML does
    ///   not have.
    public static func write(_ node: XMLNode) throws(XMLProblem) -> String {
        var text = ""
        try Self.write(node, in: nil, to: &text)
        return text
    }

    private static func write(
        _ node: XMLNode, in namespace: String?, to text: inout String
    ) throws(XMLProblem) {
        guard case .element(let element, let children) = node else {
            if case .text(let own) = node { text += try Self.escape(own) }
            return
        }
        try Self.check(name: element.name, allowingPrefix: false)
        text += "<" + element.name
        if element.namespace != namespace {
            text += " xmlns=\"\(try Self.escape(element.namespace ?? ""))\""
        }
        var names: Set<String> = []
        for attribute in element.attributes {
            try Self.check(name: attribute.name, allowingPrefix: true)
            guard attribute.name != "xmlns" else {
                throw XMLProblem("the namespace of an element is its member namespace, not the attribute xmlns")
            }
            guard names.insert(attribute.name).inserted else {
                throw XMLProblem("the attribute \(attribute.name) is repeated in \(element.name)")
            }
            text += " \(attribute.name)=\"\(try Self.escape(attribute.value))\""
        }
        guard !children.isEmpty else { return text += "/>" }
        text += ">"
        for child in children { try Self.write(child, in: element.namespace, to: &text) }
        text += "</\(element.name)>"
    }

    /// Returns a text in which nothing has a meaning of its own, within elements and within attributes.
    ///
    /// - Throws: ``XMLProblem`` if it has characters that XML does not have.
    public static func escape(_ text: String) throws(XMLProblem) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // Readers make one line end of two, and spaces of all these in attributes.
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{FFFE}", "\u{FFFF}", "\0"..."\u{1F}":
                throw XMLProblem("XML has no character with the number \(scalar.value)")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Checks a name (Namespaces in XML 1.0 §3), with a prefix or without.
    private static func check(name: String, allowingPrefix: Bool) throws(XMLProblem) {
        let parts = name.unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            guard let first = part.first, Self.begins(first) else { return false }
            return part.dropFirst().allSatisfy { Self.begins($0) || Self.continues($0) }
        }
        guard isName, parts.count == 1 || allowingPrefix && parts.count == 2 else {
            throw XMLProblem("\"\(name)\" is not a valid XML name" + (allowingPrefix ? "" : " without a prefix"))
        }
    }

    private static func begins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_", "\u{C0}"..."\u{D6}", "\u{D8}"..."\u{F6}", "\u{F8}"..."\u{2FF}",
            "\u{370}"..."\u{37D}", "\u{37F}"..."\u{1FFF}", "\u{200C}"..."\u{200D}", "\u{2070}"..."\u{218F}",
            "\u{2C00}"..."\u{2FEF}", "\u{3001}"..."\u{D7FF}", "\u{F900}"..."\u{FDCF}", "\u{FDF0}"..."\u{FFFD}",
            "\u{10000}"..."\u{EFFFF}":
            true
        default: false
        }
    }

    private static func continues(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "-", ".", "\u{B7}", "\u{300}"..."\u{36F}", "\u{203F}"..."\u{2040}": true
        default: false
        }
    }
}
