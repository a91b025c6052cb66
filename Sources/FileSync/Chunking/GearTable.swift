package import BatonCore

/// Random numbers by which contents are cut. They follow from a secret of the account, so that the lengths of sealed chunks
/// do not reveal which known file they are from.
package struct GearTable: Sendable {
    /// How many bytes a table is made of.
    package static let keyBytes = 2048

    let values: [UInt64]

    /// - Parameter key: 2048 bytes that are as good as random, expanded from the account's secret by the service.
    /// - Throws: `invalid_argument` (`bad_gear_key`) for another number of bytes.
    package init(key: some Collection<UInt8>) throws(BatonError) {
        guard key.count == Self.keyBytes else {
            throw BatonError(
                .invalidArgument, reason: "bad_gear_key", "The key by which files are cut must have 2048 bytes.")
        }
        var values = [UInt64](repeating: 0, count: 256)
        for (index, byte) in key.enumerated() { values[index / 8] = values[index / 8] << 8 | UInt64(byte) }
        self.values = values
    }
}
