/// A message of `baton-desktop` to the daemon: one JSON object a line, on the helper's standard output.
package enum DesktopReply: Sendable, Hashable, Codable {
    /// The display is there, and requests are taken. Comes first, once.
    case ready
    case answered(id: UInt64, answer: DesktopAnswer)
}

package enum DesktopAnswer: Sendable, Hashable, Codable {
    /// The identifier of an option.
    case option(id: String)
    /// A path, or a line of text.
    case text(value: String)
    /// The person wants none of it.
    case cancelled
}
