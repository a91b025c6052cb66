package import BatonCore
import BatonTrust
package import UniformTypes

/// Which apps can open something, in which order, and why: a pure decision, independent of the order of installation.
///
/// - A scheme (U-8): the person's choice; then the app whose role is Editor before one whose role is Viewer; then the
///   lowest bundle identifier.
/// - A type (A-9): the person's choice; then the claim that is nearest to the file's type; then the higher rank (Owner,
///   Default, Alternate); then Editor before Viewer; then the lowest bundle identifier.
package struct HandlerChoice: Sendable {
    /// One app's answer, and the reasons for its place.
    package struct Candidate: Sendable, Hashable {
        package let bundleID: BundleID
        package let name: String
        /// As a clause for people: `claims the scheme as Editor`.
        package let claim: String
        package let isPersonsChoice: Bool
    }

    /// An app that claims the subject and is not considered.
    package struct Rejection: Sendable, Hashable {
        package let bundleID: BundleID
        package let name: String
        package let reason: String
    }

    /// The best first.
    package var candidates: [Candidate] = []
    package var rejections: [Rejection] = []
    /// The person chose this app, which does not claim the subject, or is not installed any more.
    package var lostChoice: BundleID?

    /// The apps that open URLs with `scheme`.
    package static func handlers(
        of scheme: URLScheme, among claimants: [OpeningClaimant], choice: BundleID?
    ) -> HandlerChoice {
        var ranked: [Ranked] = []
        var result = HandlerChoice()
        for claimant in claimants {
            let roles = claimant.claims.urlTypes.filter { $0.schemes.contains(scheme.rawValue) }.map(\.role)
            guard !roles.isEmpty else { continue }
            guard !scheme.isReserved else {
                result.reject(claimant, "no app can claim “\(scheme)”: the system opens it")
                continue
            }
            guard let role = roles.filter({ $0 != .none }).min(by: { order($0) < order($1) }) else {
                result.reject(claimant, "its role for “\(scheme)” is None")
                continue
            }
            ranked.append(
                Ranked(claimant: claimant, keys: [order(role)], claim: "claims the scheme as \(role.rawValue)"))
        }
        result.rank(ranked, choice: choice)
        return result
    }

    /// The apps that open files of `type`.
    package static func handlers(
        of type: String, in registry: TypeRegistry, among claimants: [OpeningClaimant], choice: BundleID?
    ) -> HandlerChoice {
        // The type itself is nearest, then what it conforms to, breadth first.
        let nearness = Dictionary(
            ([type] + registry.supertypes(of: type)).enumerated().map { ($1.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        var ranked: [Ranked] = []
        var result = HandlerChoice()
        for claimant in claimants {
            var best: Ranked?
            var reason: String?
            for document in claimant.claims.documentTypes {
                for claimed in document.contentTypes {
                    guard let distance = nearness[claimed.lowercased()] else { continue }
                    guard document.role != .none, document.rank != .none else {
                        reason = "its \(document.role == .none ? "role" : "rank") for \(claimed) is None"
                        continue
                    }
                    let candidate = Ranked(
                        claimant: claimant, keys: [distance, order(document.rank), order(document.role)],
                        claim: "claims \(claimed) as \(document.role.rawValue), rank \(document.rank.rawValue)")
                    if best.map({ candidate.keys.lexicographicallyPrecedes($0.keys) }) ?? true { best = candidate }
                }
            }
            if let best {
                ranked.append(best)
            } else if let reason {
                result.reject(claimant, reason)
            }
        }
        result.rank(ranked, choice: choice)
        return result
    }

    private struct Ranked {
        var claimant: OpeningClaimant
        /// Compared in order; lower is better.
        var keys: [Int]
        var claim: String
    }

    private mutating func reject(_ claimant: OpeningClaimant, _ reason: String) {
        rejections.append(Rejection(bundleID: claimant.bundleID, name: claimant.name, reason: reason))
    }

    private mutating func rank(_ ranked: [Ranked], choice: BundleID?) {
        let sorted = ranked.sorted { left, right in
            let (leftChosen, rightChosen) = (left.claimant.bundleID == choice, right.claimant.bundleID == choice)
            if leftChosen != rightChosen { return leftChosen }
            if left.keys != right.keys { return left.keys.lexicographicallyPrecedes(right.keys) }
            return left.claimant.bundleID < right.claimant.bundleID
        }
        candidates = sorted.map {
            Candidate(
                bundleID: $0.claimant.bundleID, name: $0.claimant.name, claim: $0.claim,
                isPersonsChoice: $0.claimant.bundleID == choice)
        }
        rejections.sort { $0.bundleID < $1.bundleID }
        if let choice, candidates.first?.bundleID != choice { lostChoice = choice }
    }

    private static func order(_ role: AppClaims.Role) -> Int {
        switch role {
        case .editor: 0
        case .viewer: 1
        case .shell: 2
        case .quickLookGenerator: 3
        case .none: 4
        }
    }

    private static func order(_ rank: AppClaims.Rank) -> Int {
        switch rank {
        case .owner: 0
        case .default: 1
        case .alternate: 2
        case .none: 3
        }
    }
}
