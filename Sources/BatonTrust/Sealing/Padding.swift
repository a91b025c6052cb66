/// How contents are made longer, so that their sizes reveal less.
///
/// To steps of 64 bytes up to 1 KiB; above that by Padmé's rule (Nikitin and others, 2019): at most 12 % more, less for
/// larger ones, and the logarithm of the size is all that can be learnt.
package enum Padding {
    package static func paddedSize(_ size: Int) -> Int {
        guard size > 1024 else { return max(64, (size + 63) / 64 * 64) }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = 1 << (exponent - significant) - 1
        return (size + mask) & ~mask
    }
}
