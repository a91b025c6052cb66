/// One rule that was tried, for `baton explain url` and `explain file`.
package struct OpeningStep: Sendable, Hashable {
    /// Stable, for programs: `scheme`, `universal_link`, `handler`, `desktop`.
    package let name: String
    package let isOK: Bool
    package let finding: String
    /// The steps; empty when nothing is to be done.
    package let advice: String

    init(_ name: String, _ isOK: Bool, _ finding: String, advice: String = "") {
        self.name = name
        self.isOK = isOK
        self.finding = finding
        self.advice = advice
    }
}
