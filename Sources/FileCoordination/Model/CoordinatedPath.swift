import Glibc

/// An absolute path without `.`, `..` and links. Names are compared byte for byte, as Linux does.
package struct CoordinatedPath: Hashable, Sendable, CustomStringConvertible {
    /// A slash before each name and one after the last, so that whatever is below has these bytes first.
    private let bytes: [UInt8]

    /// Nil for a path that is relative, not in this form, or longer than 4,096 bytes.
    package init?(_ text: String) {
        guard text.utf8.first == Self.slash, text.utf8.count <= 4096, !text.utf8.contains(0) else { return nil }
        var bytes = [Self.slash]
        bytes.reserveCapacity(text.utf8.count + 1)
        // By bytes: to a file system a slash ends a name, whatever mark follows it.
        for name in text.utf8.split(separator: Self.slash) {
            guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { return nil }
            bytes += name
            bytes.append(Self.slash)
        }
        self.bytes = bytes
    }

    private static let slash = UInt8(ascii: "/")

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package var description: String {
        String(decoding: bytes.count > 1 ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// Whether this is the other path, or something below it.
    package func isWithin(_ other: CoordinatedPath) -> Bool {
        guard bytes.count >= other.bytes.count else { return false }
        return bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { other in
                guard let left = own.baseAddress, let right = other.baseAddress else { return false }
                return memcmp(left, right, other.count) == 0
            }
        }
    }

    /// Where this is when what was at one path is at another; the same if it is not below it.
    package func moved(from source: CoordinatedPath, to destination: CoordinatedPath) -> CoordinatedPath {
        guard isWithin(source) else { return self }
        return CoordinatedPath(bytes: destination.bytes + bytes.dropFirst(source.bytes.count))
    }

    /// The outermost package that this is in, or else this.
    /// - Parameter isPackage: says whether a directory is one, by its path. It is not asked for directories whose names are those
    ///   of iCloud containers, of which `iCloud.com.example.App` looks like an application.
    package func unit(isPackage: (String) -> Bool) -> CoordinatedPath {
        var start = 1
        while let end = bytes[start...].firstIndex(of: Self.slash) {
            defer { start = end + 1 }
            let name = bytes[start..<end]
            guard name.contains(UInt8(ascii: ".")), !Self.isContainer(String(decoding: name, as: UTF8.self)[...]) else {
                continue
            }
            if isPackage(String(decoding: bytes[..<end], as: UTF8.self)) {
                return CoordinatedPath(bytes: Array(bytes[...end]))
            }
        }
        return self
    }

    private static func isContainer(_ name: Substring) -> Bool {
        guard let first = name.split(separator: ".", maxSplits: 1).first, first.count < name.count else { return false }
        let isTeam =
            first.utf8.count == 10 && first.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        return first == "iCloud" || isTeam
    }
}
