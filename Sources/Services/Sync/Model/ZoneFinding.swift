/// Why something of a zone is not the same everywhere, as its source knows it and the sync does not.
package struct ZoneFinding: Hashable, Sendable {
    /// The part that it is about, in a word or two.
    package var subject: String
    package var finding: String
    /// Advice; empty where the finding has it already.
    package var advice: String
    /// False: it goes on by itself.
    package var isFailure: Bool

    package init(_ subject: String, _ finding: String, advice: String = "", isFailure: Bool = true) {
        self.subject = subject
        self.finding = finding
        self.advice = advice
        self.isFailure = isFailure
    }
}
