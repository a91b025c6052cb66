import BatonCore

/// The associated domains of one app: the entries that can be used, and why the others cannot.
package struct AssociatedDomains: Sendable, Hashable {
    package struct Refusal: Sendable, Hashable {
        package let text: String
        /// A sentence.
        package let reason: String
    }

    package private(set) var entries: [AssociatedDomain] = []
    package private(set) var refusals: [Refusal] = []

    /// - Parameter texts: the entries of the entitlement, in their order.
    package init(_ texts: [String]) {
        for (index, text) in texts.enumerated() {
            guard index < AssociatedDomain.maximumCount else {
                let count = AssociatedDomain.maximumCount
                refusals.append(
                    Refusal(text: text, reason: "Only the first \(count) associated domains of an app count."))
                continue
            }
            do {
                let entry = try AssociatedDomain(text)
                if !entries.contains(entry) { entries.append(entry) }
            } catch {
                refusals.append(Refusal(text: text, reason: error.message))
            }
        }
    }

    /// The entry that decides about a host: the one for the host itself, else the wildcard with the longest domain.
    /// - Parameter counts: whether an entry counts here at all.
    package func entry(
        for host: DomainName, service: AssociatedDomain.Service,
        where counts: (AssociatedDomain) -> Bool = { _ in true }
    ) -> AssociatedDomain? {
        entries.filter { $0.service == service && $0.covers(host) && counts($0) }.max { left, right in
            left.isWildcard != right.isWildcard
                ? left.isWildcard : left.domain.rawValue.utf8.count < right.domain.rawValue.utf8.count
        }
    }
}
