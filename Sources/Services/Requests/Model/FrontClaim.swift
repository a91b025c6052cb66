package import BatonCore

/// The description that an app with a current activity gives of itself.
package struct FrontClaim: Sendable, Hashable {
    package let app: AppIdentity
    /// Nil where it has not said whether it is in front.
    package let isInFront: Bool?

    package init(app: AppIdentity, isInFront: Bool?) {
        self.app = app
        self.isInFront = isInFront
    }

    /// The one that the person looks at: an app that says it is in front comes before those that say nothing, and one that has left does
    /// not count. No screen shows which app is right, so neither is believed where two apps say the same.
    /// - Parameter claims: the newest first.
    /// - Returns: its index, of one app the newest.
    /// - Throws: `failed_precondition` (`several_in_front`).
    package static func front(of claims: [FrontClaim]) throws(BatonError) -> Int? {
        let saying = claims.indices.filter { claims[$0].isInFront == true }
        let candidates = saying.isEmpty ? claims.indices.filter { claims[$0].isInFront == nil } : saying
        guard Set(candidates.map { claims[$0].app }).count < 2 else {
            throw BatonError(
                .failedPrecondition, reason: "several_in_front",
                "More than one app says that it is in front, so “this”, “here” and “them” could be either's. Close one, or name it."
            )
        }
        return candidates.first
    }
}
