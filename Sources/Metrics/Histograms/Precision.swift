/// The precision every histogram of a run has, so that any two of them can be merged without loss.
public enum Precision {
    /// How many significant decimal digits a recorded value keeps.
    public static let significantDigits = 3
    /// The smallest difference that is recorded, in microseconds.
    public static let lowestMicroseconds: Int64 = 1
}
