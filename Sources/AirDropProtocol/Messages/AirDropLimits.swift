/// Bounds of what a peer may send before it is refused.
package enum AirDropLimits {
    /// Bytes of a `/Discover`, in both directions. A record that Apple signed has about 4 KiB.
    package static let discoverSize = 64 * 1024
    /// Bytes of an `/Ask`: an icon, and 200 bytes for each file.
    package static let askSize = 4 * 1024 * 1024
    /// Bytes of an answer.
    package static let answerSize = 64 * 1024
    /// Files of one `/Ask`, and links.
    package static let files = 10_000
    package static let links = 100
    /// Bytes of a text that is a name.
    package static let nameSize = 1024
    /// Bytes of a link.
    package static let linkSize = 64 * 1024
    /// Bytes of the picture beside the question.
    package static let iconSize = 2 * 1024 * 1024
}
