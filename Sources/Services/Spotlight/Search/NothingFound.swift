/// Why a search found nothing.
package struct NothingFound: Hashable, Sendable {
    /// As in the protocol.
    package var reason: String
    /// For people: what is so, and what to do.
    package var message: String
    /// The nearest words that something has, for `unknown_word`.
    package var words: [String] = []
}
