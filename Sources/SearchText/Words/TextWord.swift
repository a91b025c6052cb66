/// A word of a text.
package struct TextWord: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case plain
        /// A name in several words without spaces, as in `MyWindowClass`: its parts follow.
        case compound
        case part
        /// Two characters of a run of Chinese, Japanese or Korean, or a run of one.
        case pair
    }

    /// Folded: without case and marks, in UTF-8.
    package var bytes: [UInt8]
    package var kind: Kind
    /// Where it is in the text, in bytes of UTF-8.
    package var range: Range<Int>

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
