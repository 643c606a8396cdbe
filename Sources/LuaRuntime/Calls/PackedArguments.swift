public import JSON

/// A table argument that is plain and of a shape, packed without the members that are null, and perhaps another plain
/// argument behind it.
public struct PackedArguments {
    /// The table, and then the other argument.
    public let values: PackedJSON

    /// How many members the table has.
    public let count: UInt8

    /// Where the other argument begins.
    public let other: Int

    /// Packs arguments; nil if they are not plain, or the table is not of the shape.
    ///
    /// - Parameters:
    ///   - number: The table.
    ///   - other: The argument that comes behind it; nil for none.
    public init?(_ call: borrowing LuaCall, _ number: Int, shaped shape: TableShape, with other: Int? = nil) {
        guard call.kind(number) == .table else { return nil }
        var encoder = TableEncoder(PackedJSONWriter(reservingCapacity: 256), of: call.stack)
        guard let count = encoder.write(at: call.index(number), shaped: shape) else { return nil }
        self.count = count
        self.other = encoder.sink.position
        if let other { guard encoder.write(at: call.index(other)) else { return nil } }
        self.values = encoder.sink.finish()
    }
}
