import BatonCore
import Files
import Foundation

/// Reads a property list that anybody may have written.
///
/// Foundation's parser recurses for each level of nesting and expands an object each time that a binary list names it,
/// so a small file could exhaust the stack or the memory. Input is therefore walked first, without building anything,
/// and refused beyond fixed bounds. Only XML in UTF-8 and binary lists are read: an encoding or a format that the walk
/// does not understand could hide what the parser then sees.
enum PropertyListGuard {
    struct Limits: Sendable {
        var bytes = 1 << 20
        var depth = 32
        /// Values, each counted as often as it is used.
        var values = 50_000

        static let standard = Limits()
        /// `CodeResources` has up to 100,000 files of three values.
        static let codeResources = Limits(bytes: 64 << 20, depth: 5, values: 900_000)
    }

    enum Format { case xml, binary }

    /// - Parameter name: of the file, for messages.
    static func dictionary(
        _ bytes: [UInt8], name: String, limits: Limits = .standard, formats: Set<Format> = [.xml, .binary]
    ) throws(BatonError) -> [String: Any] {
        guard bytes.count <= limits.bytes else {
            throw malformed(name, "it has more than \(ByteSize.text(limits.bytes))")
        }
        do throws(Problem) {
            if bytes.starts(with: Array("bplist00".utf8)) {
                guard formats.contains(.binary) else { throw Problem("it must be in XML") }
                var walk = BinaryPropertyListWalk(bytes: bytes, limits: limits)
                try walk.check()
            } else {
                var walk = XMLPropertyListWalk(bytes: bytes, limits: limits)
                try walk.check()
            }
        } catch {
            throw malformed(name, error.description)
        }
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        } catch {
            throw malformed(name, "it cannot be parsed", cause: error)
        }
        guard let dictionary = value as? [String: Any] else {
            throw malformed(name, "its top level must be a dictionary")
        }
        return dictionary
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private static func malformed(_ name: String, _ why: String, cause: (any Error)? = nil) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_property_list",
            "\(PrintableName.escaped(name)) is not a property list that Baton reads: \(why).", cause: cause)
    }
}
