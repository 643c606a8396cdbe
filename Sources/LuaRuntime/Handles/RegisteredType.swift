/// A type of handles as one state knows it.
struct RegisteredType {
    let name: String
    /// Where the registry keeps the metatable.
    let anchor: Int32
}
