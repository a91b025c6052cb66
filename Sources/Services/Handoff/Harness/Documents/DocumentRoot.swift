package import BatonCore
import Foundation

/// A directory whose content is the same on each device that registers it under this name: of a synchronised folder, or of
/// an app's documents in the cloud.
package struct DocumentRoot: Hashable, Sendable {
    /// The name on every device.
    package let name: String
    /// Where it is on this device: absolute, without “.”, “..”, and empty parts.
    package let directory: String
    /// The team whose apps' activities may name files in it; nil for every app.
    package let team: TeamIdentity?

    /// - Throws: `invalid_argument` for a name that is not 1 to 255 bytes of letters, digits, “.”, “-” and “_”, the first a
    ///   letter or digit, and for a directory that is not an absolute path.
    package init(name: String, directory: String, team: TeamIdentity? = nil) throws(BatonError) {
        guard Self.isName(name) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_document_root",
                "The name of a document root is 1 to 255 ASCII letters, digits, “.”, “-” and “_”, the first a "
                    + "letter or digit.")
        }
        let parts = directory.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard directory.hasPrefix("/"), !directory.utf8.contains(0), !parts.isEmpty,
            parts.allSatisfy(DocumentPath.isComponent)
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_document_root",
                "The directory of the document root “\(name)” must be an absolute path without “.” and “..”.")
        }
        self.name = name
        self.directory = "/" + parts.joined(separator: "/")
        self.team = team
    }

    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !".-_".contains(text.prefix(1))
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}

/// The path of a document below its root: pure text, nothing is looked up.
enum DocumentPath {
    /// Linux's for a whole path, the root's part included.
    private static let maximumLength = 4095

    /// - Returns: nil for a path that could leave the root, or that no file can have.
    static func components(_ path: String) -> [String]? {
        if path.isEmpty { return [] }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy(isComponent) ? parts : nil
    }

    static func isComponent(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".." && !name.utf8.contains(0)
            && !name.utf8.contains(UInt8(ascii: "/"))
    }

    static func isPossible(_ path: String) -> Bool { path.utf8.count <= maximumLength }

    /// The path that a file's URL names, byte for byte as it is decoded once; nil for anything but a plain URL of a file
    /// on this device.
    ///
    /// Foundation is not asked: it would resolve “..” and pass over what cannot be decoded, where one has to be sure.
    static func path(ofURL text: String) -> (path: String, isDirectory: Bool)? {
        let scheme = text.prefix(5).lowercased()
        guard scheme == "file:" else { return nil }
        var rest = text.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            if rest.lowercased().hasPrefix("localhost/") { rest = rest.dropFirst(9) }
        }
        guard rest.hasPrefix("/"), !rest.contains("?"), !rest.contains("#") else { return nil }
        var names: [String] = []
        let isDirectory = rest.hasSuffix("/")
        for part in rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            names.append(decode(part.utf8) ?? ".")
        }
        if isDirectory { names.removeLast() }
        // A slash or NUL that was encoded, “..” in any spelling, bytes that are no text: not taken for a path.
        guard names.allSatisfy(isComponent) else { return nil }
        return ("/" + names.joined(separator: "/"), isDirectory)
    }

    private static func decode(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x61 + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x41 + 10
        default: nil
        }
    }

    /// With everything encoded but what RFC 3986 calls unreserved.
    static func encode(_ names: [String]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for (index, name) in names.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "/")) }
            for byte in name.utf8 {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
                default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
