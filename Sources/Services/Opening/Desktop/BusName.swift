package import BatonCore

/// The name of an app on the session bus: its bundle identifier, where that can be one.
package struct BusName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let description: String

    /// - Returns: nil for an identifier that is no well-known bus name: at least two parts of letters, digits, “-” and
    ///   “_”, none beginning with a digit, at most 255 bytes in all (D-Bus specification, “Valid Names”).
    package init?(_ bundleID: BundleID) {
        let parts = bundleID.rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, bundleID.rawValue.utf8.count <= 255 else { return nil }
        for part in parts {
            guard let first = part.utf8.first, !(0x30...0x39).contains(first), part.utf8.allSatisfy(Self.isAllowed)
            else { return nil }
        }
        description = bundleID.rawValue
    }

    /// Where the app's object is (Desktop Entry Specification, “D-Bus Activation”).
    package var objectPath: String {
        "/" + description.replacing(".", with: "/").replacing("-", with: "_")
    }

    package static func < (left: BusName, right: BusName) -> Bool { left.description < right.description }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2D || byte == 0x5F
    }
}
