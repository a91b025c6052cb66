/// The uses and events so far, and the items that are likely after them (P-59 to P-61). A value without I/O and clock.
///
/// The events are what is remembered. The tables are made of them, and made anew when events are forgotten.
package struct PredictionMemory: Sendable {
    package struct Limits: Sendable {
        /// Policy: beyond it the oldest tenth goes.
        package var events = 20_000
        /// Items of one kind. Policy: beyond it the tenth that was not seen for the longest goes.
        package var items = 1_000
        /// Milliseconds. Older events go.
        package var age: UInt64 = 90 * 86_400_000
        /// How long something that happened leads to what comes next.
        package var contextAge: UInt64 = 10 * 60_000
        package init() {}
    }

    /// The learner of one kind of items, with its own numbers.
    struct Kind: Sendable {
        var learner: PredictionLearner
        var numbers: [UInt32: UInt32] = [:]
        var items: [UInt32] = []
        /// The events since the last item, and when.
        var pending: [PredictionContext: UInt64] = [:]
    }

    package let limits: Limits
    var events: [PredictionEvent] = []
    var items: [PredictionItem] = []
    var names: [String] = []
    private var numbers: [PredictionItem: UInt32] = [:]
    private(set) var kinds: [PredictionItem.Kind: Kind] = [:]

    package init(limits: Limits = Limits()) {
        self.limits = limits
        kinds = Self.emptyKinds
    }

    private static var emptyKinds: [PredictionItem.Kind: Kind] {
        Dictionary(
            uniqueKeysWithValues: PredictionItem.Kind.allCases.map {
                // A song is played again; an app that is in front is there already.
                ($0, Kind(learner: PredictionLearner(repeats: $0 != .app)))
            })
    }

    package var eventCount: Int { events.count }

    // MARK: Learning

    /// An item was used.
    /// - Parameters:
    ///   - name: for people. One line, 256 bytes at most; the rest is cut.
    ///   - minute: of the local day.
    package mutating func used(_ item: PredictionItem, name: String, now: UInt64, minute: Int) {
        guard item.app.utf8.count <= 256, item.id.utf8.count <= 256 else { return }
        let number = self.number(of: item)
        if !name.isEmpty { names[Int(number)] = String(decoding: name.utf8.prefix(256), as: UTF8.self) }
        if item.kind == .app, let kind = kinds[.app], let front = kind.learner.front, kind.items[Int(front)] == number {
            return
        }
        add(PredictionEvent(subject: .item(number), minute: Self.minute(minute), time: now), now: now)
    }

    /// Something happened around the person.
    package mutating func happened(_ context: PredictionContext, now: UInt64, minute: Int) {
        add(PredictionEvent(subject: .context(context), minute: Self.minute(minute), time: now), now: now)
    }

    private static func minute(_ minute: Int) -> UInt16 { UInt16(((minute % 1440) + 1440) % 1440) }

    private mutating func number(of item: PredictionItem) -> UInt32 {
        if let number = numbers[item] { return number }
        let number = UInt32(items.count)
        items.append(item)
        names.append("")
        numbers[item] = number
        return number
    }

    private mutating func add(_ event: PredictionEvent, now: UInt64) {
        var kind: PredictionItem.Kind?
        if case .item(let number) = event.subject { kind = items[Int(number)].kind }
        // Not doubled each time: the room of 20,000 events is most of what this takes.
        if events.count == events.capacity { events.reserveCapacity(events.count + 2048) }
        events.append(event)
        learn(event)
        if events.count > limits.events {
            events.removeFirst(events.count - limits.events * 9 / 10)
            rebuild()
        } else if let first = events.first, first.time + limits.age < now, now - first.time > limits.age + 86_400_000 {
            // Once a day at most.
            events.removeAll { $0.time + limits.age < now }
            rebuild()
        }
        if let kind { bound(kind) }
    }

    private mutating func bound(_ kind: PredictionItem.Kind) {
        guard let count = kinds[kind]?.items.count, count > limits.items else { return }
        var last: [UInt32: Int] = [:]
        for (place, event) in events.enumerated() {
            if case .item(let number) = event.subject, items[Int(number)].kind == kind { last[number] = place }
        }
        let gone = Set(last.sorted { $0.value < $1.value }.prefix(count - limits.items * 9 / 10).map(\.key))
        events.removeAll { event in
            if case .item(let number) = event.subject { gone.contains(number) } else { false }
        }
        rebuild()
    }

    private mutating func learn(_ event: PredictionEvent) {
        switch event.subject {
        case .context(let context):
            for kind in PredictionItem.Kind.allCases { kinds[kind]?.pending[context] = event.time }
        case .item(let number):
            let name = items[Int(number)].kind
            guard var kind = kinds.removeValue(forKey: name) else { return }
            let local = kind.numbers[number] ?? UInt32(kind.items.count)
            kind.learner.learn(local, minute: Int(event.minute), contexts: active(kind, now: event.time))
            if kind.numbers[number] == nil {
                kind.numbers[number] = local
                kind.items.append(number)
            }
            // The first item after it is what it led to.
            kind.pending = [:]
            kinds[name] = kind
        }
    }

    private func active(_ kind: Kind, now: UInt64) -> [PredictionContext] {
        kind.pending.filter { $0.value <= now && now - $0.value <= limits.contextAge }.map(\.key)
            .sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: Forgetting

    /// Removes events, and makes the tables of the rest.
    /// - Parameters:
    ///   - since: also events of any kind from this time on; nil for none.
    ///   - isForgotten: for items.
    /// - Returns: how many events have gone.
    @discardableResult
    package mutating func forget(
        since: UInt64? = nil, _ isForgotten: (PredictionItem, _ name: String) -> Bool = { _, _ in false }
    ) -> Int {
        let gone = Set(items.indices.filter { isForgotten(items[$0], names[$0]) }.map { UInt32($0) })
        let before = events.count
        events.removeAll { event in
            if let since, event.end >= since { return true }
            if case .item(let number) = event.subject { return gone.contains(number) }
            return false
        }
        guard events.count != before || !gone.isEmpty else { return 0 }
        rebuild()
        return before - events.count
    }

    package mutating func forgetAll() -> Int {
        let count = events.count
        self = PredictionMemory(limits: limits)
        return count
    }

    /// Items without events go too, with their names.
    mutating func rebuild() {
        let (oldItems, oldNames, oldEvents) = (items, names, events)
        (items, names, numbers, events, kinds) = ([], [], [:], [], Self.emptyKinds)
        events.reserveCapacity(oldEvents.count)
        for var event in oldEvents {
            if case .item(let old) = event.subject {
                let number = self.number(of: oldItems[Int(old)])
                names[Int(number)] = oldNames[Int(old)]
                event = event.renumbered(number)
            }
            events.append(event)
            learn(event)
        }
    }

    // MARK: Predicting

    /// The items that are likely now, the likeliest first.
    /// - Parameter isCandidate: what can be used at all; the others' probability is shared out.
    package func predictions(
        _ kind: PredictionItem.Kind, now: UInt64, minute: Int, limit: Int,
        isCandidate: (PredictionItem) -> Bool = { _ in true }
    ) -> [Prediction] {
        guard let known = kinds[kind] else { return [] }
        let found = known.learner.predict(minute: minute, contexts: active(known, now: now))
            .map { (number: known.items[Int($0.item)], probability: $0.probability) }
            .filter { isCandidate(items[Int($0.number)]) }
        let sum = found.reduce(0) { $0 + $1.probability }
        guard sum > 0 else { return [] }
        return found.prefix(max(0, limit)).enumerated().map { place, one in
            Prediction(
                item: items[Int(one.number)], name: names[Int(one.number)], probability: one.probability / sum,
                rank: place + 1)
        }
    }

    /// The events so shortly ago that they may lead to something of this kind.
    package func contexts(_ kind: PredictionItem.Kind, now: UInt64) -> Set<PredictionContext> {
        Set(kinds[kind].map { active($0, now: now) } ?? [])
    }

    /// The item of a kind that was used last.
    package func front(_ kind: PredictionItem.Kind) -> PredictionItem? {
        guard let known = kinds[kind], let front = known.learner.front else { return nil }
        return items[Int(known.items[Int(front)])]
    }

    /// Every item that is remembered, with its name.
    package var known: [(item: PredictionItem, name: String)] { Array(zip(items, names)).map { (item: $0, name: $1) } }

    /// How often an item was the first of its kind to come after something happened.
    package func times(_ item: PredictionItem, after context: PredictionContext) -> Int {
        guard let known = kinds[item.kind], let number = numbers[item], let local = known.numbers[number] else {
            return 0
        }
        return known.learner.times(local, after: context)
    }

    /// How often an item was used, as far as it is remembered.
    package func uses(of item: PredictionItem) -> Int {
        guard let number = numbers[item] else { return 0 }
        return events.count { $0.subject == .item(number) }
    }

    /// The evidence for an item now, as sentences, the most first: three at most.
    package func reasons(
        for item: PredictionItem, now: UInt64, minute: Int, name: (PredictionItem) -> String
    ) -> [String] {
        guard let known = kinds[item.kind], let number = numbers[item], let local = known.numbers[number] else {
            return []
        }
        let shares = known.learner.shares(of: local, minute: minute, contexts: active(known, now: now))
        func title(_ local: UInt32?) -> String {
            local.map { name(items[Int(known.items[Int($0)])]) } ?? "the one before"
        }
        let words = PredictionWords(
            kind: item.kind, hour: minute / 60, front: title(known.learner.front), earlier: title(known.learner.earlier)
        )
        return Array(shares.filter { $0.amount > 0 && $0.count > 0.01 }.map(words.sentence).prefix(3))
    }
}
