import BatonConcurrency
import BatonCore

/// Offers as notices: H-10, H-13.
extension NoticeStateMachine {
    /// - Parameter offers: all that can be seen now, the newest first.
    package mutating func offersChanged(_ offers: [NoticeOffer], now: Duration) -> [NoticeAction] {
        let before = Set(self.offers.map(\.activity))
        for offer in offers {
            settled.offered(offer.activity, offer.timestamp, wasOffered: before.contains(offer.activity))
        }
        self.offers = offers
        return reconcile(now: now)
    }

    /// The person has seen it and decided.
    mutating func settle(_ activity: ActivityID) {
        let timestamp = offers.first { $0.activity == activity }?.timestamp ?? .zero
        settled.insert(activity, timestamp, limit: configuration.maximumRemembered)
    }

    /// Brings the notices to what is offered, as far as the rates allow.
    mutating func reconcile(now: Duration) -> [NoticeAction] {
        var order: [NoticeSlot] = []
        var wanted: [NoticeSlot: NoticeOffer] = [:]
        for offer in policy == .on ? offers : [] where offer.canContinue {
            let slot = NoticeSlot(offer)
            // Only the newest of an app and device: once that is settled, the older ones are not shown.
            guard wanted[slot] == nil, order.count < configuration.maximumOffers else { continue }
            wanted[slot] = offer
            order.append(slot)
        }
        wanted = wanted.filter { !settled.contains($0.value.activity) }
        for slot in slots.keys where wanted[slot] == nil { slots[slot]?.wanted = nil }
        for (slot, offer) in wanted { slots[slot, default: .init()].wanted = offer }
        // Ended offers make room first.
        let gone = slots.keys.filter { wanted[$0] == nil }.sorted()
        let actions = (gone + order.filter { wanted[$0] != nil }).flatMap { settle($0, now: now) }
        forgetSlots(now: now)
        return actions
    }

    mutating func settle(_ slot: NoticeSlot, now: Duration) -> [NoticeAction] {
        guard let state = slots[slot] else { return [] }
        guard let wanted = state.wanted else {
            slots[slot]?.notice = nil
            return state.notice.map { [.close($0.id)] } ?? []
        }
        guard state.isBehind, state.due <= now, offerBucket.take(now: now) else { return [] }
        // A page of another site is another question: a press that is under way is none for it.
        let replaced = state.notice.flatMap { $0.site == wanted.site ? $0.id : nil }
        let notice = Notice.offer(wanted, id: replaced ?? nextID())
        let isBusy = state.lastShown.map { now - $0 < configuration.quiet } ?? false
        let interval = isBusy ? min(state.interval * 2, configuration.maximumInterval) : configuration.interval
        slots[slot]?.notice = notice
        slots[slot]?.lastShown = now
        slots[slot]?.interval = interval
        slots[slot]?.due = now + interval
        return (replaced == nil ? state.notice.map { [.close($0.id)] } ?? [] : []) + [.show(notice)]
    }

    /// How often each was shown counts as long as it is busy.
    private mutating func forgetSlots(now: Duration) {
        slots = slots.filter { _, state in
            state.wanted != nil || state.notice != nil
                || (state.lastShown.map { now - $0 < configuration.quiet } ?? false)
        }
        guard slots.count > configuration.maximumRemembered else { return }
        let idle = slots.filter { $0.value.wanted == nil && $0.value.notice == nil }
            .sorted { ($0.value.lastShown ?? .zero, $0.key) < ($1.value.lastShown ?? .zero, $1.key) }
        for (slot, _) in idle.prefix(slots.count - configuration.maximumRemembered) { slots[slot] = nil }
    }
}
