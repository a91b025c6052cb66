/// The offers of apps, and how they stand beside the learned items: a value without I/O and clock (P-61).
///
/// Each list has a share of the probability, its apps have equal parts of it, and what was learned has the rest. An app's
/// claim alone therefore says little: no more than ``relevantShare``, and a part of it where others claim the same.
package struct PredictionOffers: Sendable, Equatable {
    /// The share of what is of use just now, by the app's own word.
    package static let relevantShare = 0.4
    /// The share of media that the person has not heard yet.
    package static let upcomingShare = 0.2
    /// The share of what apps suggest at any time.
    package static let suggestedShare = 0.1
    /// Policy: those of further apps are left out.
    package static let maximum = 2000

    package private(set) var candidates: [OfferedCandidate]
    /// By app, the types of media of which only what it offers is predicted, by the numbers of `INMediaItemType`.
    private let onlyOffered: [String: Set<Int>]
    /// The types of media that were donated or are offered.
    private let types: [PredictionItem: Int]

    package init(
        candidates: [OfferedCandidate] = [], onlyOffered: [String: Set<Int>] = [:], types: [PredictionItem: Int] = [:]
    ) {
        self.candidates = Array(candidates.prefix(Self.maximum))
        self.onlyOffered = onlyOffered
        self.types = types
    }

    /// Those of one item.
    package func candidates(for item: PredictionItem) -> [OfferedCandidate] { candidates.filter { $0.item == item } }

    /// Whether an app says that it is of use just now.
    package func isRelevant(_ item: PredictionItem, _ situation: PredictionSituation) -> Bool {
        candidates.contains { $0.item == item && $0.isRelevant(situation) }
    }

    /// The learned and the offered items, the likeliest first.
    /// - Parameters:
    ///   - learned: of one kind, all of them.
    ///   - isCandidate: for what is offered.
    package func merged(
        _ learned: [Prediction], kind: PredictionItem.Kind, situation: PredictionSituation, limit: Int,
        isCandidate: (PredictionItem) -> Bool
    ) -> [Prediction] {
        let offered = candidates.filter {
            $0.item.kind == kind && $0.isCandidate(situation) && isCandidate($0.item)
        }
        let offeredMedia = Set(offered.lazy.filter { $0.list == .upcomingMedia }.map(\.item))
        let kept = learned.filter { !isLeftOut($0.item, offeredMedia) }
        guard kept.count != learned.count || !offered.isEmpty else { return Array(learned.prefix(max(0, limit))) }
        var shares: [PredictionItem: Double] = [:]
        var names: [PredictionItem: String] = [:]
        var total = 0.0
        for (share, group) in Self.groups(offered, situation) where !group.isEmpty {
            total += share
            let apps = Dictionary(grouping: group, by: \.item.app)
            for (_, members) in apps {
                let weights = members.map { $0.list == .upcomingMedia ? 1 / Double($0.place + 1) : 1 }
                let sum = weights.reduce(0, +)
                for (member, weight) in zip(members, weights) {
                    shares[member.item, default: 0] += share / Double(apps.count) * weight / sum
                    if names[member.item]?.isEmpty ?? true { names[member.item] = member.name }
                }
            }
        }
        let sum = kept.reduce(0) { $0 + $1.probability }
        if sum > 0 {
            for one in kept {
                shares[one.item, default: 0] += one.probability / sum * (1 - total)
                if !one.name.isEmpty { names[one.item] = one.name }
            }
        }
        return shares.sorted { left, right in
            left.value != right.value
                ? left.value > right.value : (left.key.app, left.key.id) < (right.key.app, right.key.id)
        }.prefix(max(0, limit)).enumerated().map { place, one in
            Prediction(item: one.key, name: names[one.key] ?? "", probability: one.value, rank: place + 1)
        }
    }

    private static func groups(
        _ offered: [OfferedCandidate], _ situation: PredictionSituation
    ) -> [(share: Double, group: [OfferedCandidate])] {
        [
            (relevantShare, offered.filter { $0.isRelevant(situation) }),
            (upcomingShare, offered.filter { $0.list == .upcomingMedia }),
            (suggestedShare, offered.filter { $0.list != .upcomingMedia && !$0.isRelevant(situation) }),
        ]
    }

    /// Whether its app wants only what it offers itself to be predicted of this type.
    private func isLeftOut(_ item: PredictionItem, _ offered: Set<PredictionItem>) -> Bool {
        guard item.kind == .media, let wanted = onlyOffered[item.app], !offered.contains(item) else { return false }
        return wanted.contains(types[item] ?? 0)
    }
}
