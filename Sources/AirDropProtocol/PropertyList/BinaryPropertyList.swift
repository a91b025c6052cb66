package import BatonCore

/// Apple's binary property lists, version 00: a header, objects, a table of their offsets, and a trailer that says where
/// all of that is.
package enum BinaryPropertyList {
    /// Bounds that are checked before anything is allocated for a value. An object may be referred to any number of times,
    /// so a small file can hold a huge value: what counts is the value.
    package struct Limits: Sendable {
        /// Bytes of the property list.
        package var size: Int
        /// Arrays and dictionaries within each other.
        package var depth = 16
        /// Values in all, keys too.
        package var values = 250_000
        /// Bytes of all texts and data together.
        package var content: Int

        package init(size: Int) {
            self.size = size
            content = size
        }
    }

    static let magic = Array("bplist00".utf8)
    static let trailerSize = 32

    /// - Throws: `invalid_argument` with reason `property_list_invalid`; `resource_exhausted` with reason
    ///   `property_list_too_large`.
    package static func decode(_ bytes: [UInt8], limits: Limits) throws(BatonError) -> PropertyListValue {
        var reader = try BinaryPropertyListReader(bytes, limits)
        return try reader.read()
    }

    package static func encode(_ value: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        return writer.write(value)
    }
}
