/// What a suite or a case of a JUnit file says beyond what the format has a place for.
enum JUnitProperty {
    /// Appends the element of a property.
    static func render(_ name: String, _ value: String, indent: String = "      ", to output: inout [UInt8]) {
        output.append(contentsOf: "\(indent)<property".utf8)
        XMLText.append(attribute: "name", name, to: &output)
        XMLText.append(attribute: "value", value, to: &output)
        output.append(contentsOf: "/>\n".utf8)
    }
}
