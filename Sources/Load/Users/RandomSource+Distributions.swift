import Machines

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// What all parts of a run draw alike, whichever release of Swift they were built with: the standard library does not
/// promise which numbers its own draws make of the same bits.
extension RandomSource {
    /// Draws a number from 0 up to but not including 1, with 53 random bits.
    mutating func unit() -> Double {
        Double(self.next() >> 11) * 0x1p-53
    }

    /// Draws a whole number from 0 up to but not including a count, each as often as any other, by the method of
    /// Lemire (2019).
    ///
    /// - Parameter count: How many numbers there are; at least 1.
    mutating func below(_ count: Int) -> Int {
        let count = UInt64(max(count, 1))
        // Of so many low halves more products have one high half than another.
        let surplus = (0 &- count) % count
        while true {
            let product = self.next().multipliedFullWidth(by: count)
            if product.low >= surplus { return Int(product.high) }
        }
    }

    /// Draws from the exponential distribution of mean 1.
    mutating func exponential() -> Double {
        // From 1 - unit, which is never 0.
        -log(1 - self.unit())
    }

    /// Draws from the normal distribution of mean 0 and deviation 1, by the polar method.
    mutating func normal() -> Double {
        while true {
            let first = 2 * self.unit() - 1
            let second = 2 * self.unit() - 1
            let square = first * first + second * second
            if square > 0, square < 1 { return first * (-2 * log(square) / square).squareRoot() }
        }
    }

    /// Draws from the gamma distribution of scale 1, by the method of Marsaglia and Tsang (2000).
    ///
    /// - Parameter exponent: The shape of the distribution, above 0.
    mutating func gamma(exponent: Double) -> Double {
        guard exponent >= 1 else {
            return self.gamma(exponent: exponent + 1) * exp(-self.exponential() / exponent)
        }
        let shifted = exponent - 1.0 / 3
        let factor = 1 / (9 * shifted).squareRoot()
        while true {
            let normal = self.normal()
            let root = 1 + factor * normal
            guard root > 0 else { continue }
            let cube = root * root * root
            if log(1 - self.unit()) < normal * normal / 2 + shifted - shifted * cube + shifted * log(cube) {
                return shifted * cube
            }
        }
    }
}
