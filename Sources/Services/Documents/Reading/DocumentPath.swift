import Foundation

/// A path of an item: bytes, as Linux has them, normally UTF-8.
struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
    private static let slash = UInt8(ascii: "/")

    /// In the container, from its root; or of a request.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8) }

    /// - Parameters:
    ///   - text: of a request.
    ///   - bytes: in place of it, where it is no UTF-8.
    init(_ text: String, _ bytes: Data) { self.bytes = bytes.isEmpty ? Array(text.utf8) : Array(bytes) }

    init(names: some Sequence<[UInt8]>) { bytes = Array(names.joined(separator: [Self.slash])) }

    var names: [[UInt8]] { bytes.split(separator: Self.slash).map { Array($0) } }

    var isEmpty: Bool { bytes.isEmpty }
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// To be shown: what is no text has replacement characters.
    var description: String { String(decoding: bytes, as: UTF8.self) }
}
