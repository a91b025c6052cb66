package import BatonConcurrency
package import Foundation

/// The life of one `NSMetadataQuery`: which items are results, in which order, and when its observers hear of it.
///
/// Results change only when `deliver` is handled, which the owner does on the observers' queue: readers on that queue
/// see one state. Between `disableUpdates` and as many `enableUpdates` they do not change at all. Reports of the source
/// are kept meanwhile, one record per item.
package struct QueryStateMachine: StateMachine {
    package struct Configuration: Sendable {
        /// Whether an item is a result.
        package var matches: @Sendable (MetadataRecord) -> Bool
        /// The order of two results; nil where they come in the order of their identifiers.
        package var order: (@Sendable (MetadataRecord, MetadataRecord) -> ComparisonResult)?
        /// How long changes are gathered before observers hear of them.
        package var batchingInterval: Duration

        package init(
            matches: @escaping @Sendable (MetadataRecord) -> Bool,
            order: (@Sendable (MetadataRecord, MetadataRecord) -> ComparisonResult)? = nil,
            batchingInterval: Duration = .seconds(1)
        ) {
            self.matches = matches
            self.order = order
            self.batchingInterval = batchingInterval
        }
    }

    package enum Input: Sendable {
        case start(Configuration)
        case stop
        case disableUpdates
        case enableUpdates
        case setBatchingInterval(Duration)
        case report(MetadataReport)
        /// The owner is on the observers' queue, as `requestDelivery` asked.
        case deliver
    }

    package enum Action: Hashable, Sendable {
        /// Begin to observe the source.
        case observe
        /// Observe it no longer.
        case cancelObservation
        /// Handle `deliver` on the observers' queue. Asked once until that happens.
        case requestDelivery
        /// Notify the observers. Only from `deliver`.
        case notify(QueryNotification)
    }

    package enum Phase: Hashable, Sendable {
        /// Not started, or stopped.
        case stopped
        case gathering
        case live
    }

    package private(set) var phase = Phase.stopped
    /// The results that observers see, in order.
    package private(set) var results: [MetadataRecord] = []

    private var configuration: Configuration?
    /// Nested calls of `disableUpdates`.
    private var disabledCount = 0
    private var matching: [String: MetadataRecord] = [:]
    /// Identifiers that changed since the last delivery.
    private var touched: Set<String> = []
    /// Items that a restarted source has not named again.
    private var unconfirmed: Set<String>?
    private var owesStart = false
    private var owesFinish = false
    private var isDeliveryRequested = false
    private var deadline: Duration?

    package init() {}

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch input {
        case .start(let configuration): return start(configuration, now)
        case .stop: return stop()
        case .disableUpdates:
            // Bounded so that no loop of calls overflows it.
            disabledCount = min(disabledCount + 1, 1 << 20)
            return []
        case .enableUpdates:
            disabledCount = max(disabledCount - 1, 0)
            return due(now)
        case .setBatchingInterval(let interval):
            configuration?.batchingInterval = interval
            if let deadline { self.deadline = min(deadline, now.monotonic + interval) }
            return due(now)
        case .report(let report): return receive(report, now)
        case .deliver: return deliver()
        }
    }

    package mutating func nextDeadline(now: Timestamp) -> Duration? {
        disabledCount == 0 && !isDeliveryRequested ? deadline : nil
    }

    package mutating func advance(now: Timestamp) -> [Action] { due(now) }

    // MARK: Starting and stopping

    private mutating func start(_ configuration: Configuration, _ now: Timestamp) -> [Action] {
        guard phase == .stopped else { return [] }
        self.configuration = configuration
        phase = .gathering
        (results, matching, touched, unconfirmed) = ([], [:], [], nil)
        (owesStart, owesFinish) = (true, false)
        // A query that was stopped in a handler is often left disabled.
        disabledCount = 0
        deadline = now.monotonic
        return [.observe] + due(now)
    }

    /// Reported items become results without a notification, unless updates are disabled.
    private mutating func stop() -> [Action] {
        guard phase != .stopped else { return [] }
        if disabledCount == 0 { _ = publish() }
        phase = .stopped
        (matching, touched, unconfirmed) = ([:], [], nil)
        (owesStart, owesFinish) = (false, false)
        deadline = nil
        return [.cancelObservation]
    }

    // MARK: Reports

    private mutating func receive(_ report: MetadataReport, _ now: Timestamp) -> [Action] {
        guard phase != .stopped, let configuration else { return [] }
        switch report {
        case .updated(let records):
            for record in records {
                unconfirmed?.remove(record.id)
                let isResult = configuration.matches(record)
                guard isResult || matching[record.id] != nil, matching[record.id] != record else { continue }
                matching[record.id] = isResult ? record : nil
                touched.insert(record.id)
            }
        case .removed(let ids):
            for id in ids { remove(id) }
        case .restarted: unconfirmed = Set(matching.keys)
        case .gathered:
            for id in unconfirmed ?? [] { remove(id) }
            unconfirmed = nil
            if phase == .gathering, !owesFinish {
                owesFinish = true
                deadline = now.monotonic
            }
        }
        if !touched.isEmpty, deadline == nil { deadline = now.monotonic + configuration.batchingInterval }
        return due(now)
    }

    private mutating func remove(_ id: String) {
        unconfirmed?.remove(id)
        if matching.removeValue(forKey: id) != nil { touched.insert(id) }
    }

    // MARK: Deliveries

    private mutating func due(_ now: Timestamp) -> [Action] {
        guard let deadline, deadline <= now.monotonic, disabledCount == 0, !isDeliveryRequested else { return [] }
        isDeliveryRequested = true
        return [.requestDelivery]
    }

    private mutating func deliver() -> [Action] {
        isDeliveryRequested = false
        // Updates may have been disabled on the observers' queue since the delivery was asked for.
        guard phase != .stopped, disabledCount == 0 else { return [] }
        deadline = nil
        var actions: [Action] = []
        if owesStart {
            owesStart = false
            actions.append(.notify(.didStartGathering))
        }
        let changes = publish()
        if owesFinish {
            owesFinish = false
            phase = .live
            if !changes.isEmpty { actions.append(.notify(.gatheringProgress(changes))) }
            actions.append(.notify(.didFinishGathering))
        } else if !changes.isEmpty {
            actions.append(.notify(phase == .gathering ? .gatheringProgress(changes) : .didUpdate(changes)))
        }
        return actions
    }

    private mutating func publish() -> QueryChanges {
        guard !touched.isEmpty else { return QueryChanges() }
        var changes = QueryChanges()
        var kept: [MetadataRecord] = []
        var known: Set<String> = []
        for record in results {
            guard touched.contains(record.id) else {
                kept.append(record)
                continue
            }
            known.insert(record.id)
            guard let current = matching[record.id] else {
                changes.removed.append(record)
                continue
            }
            kept.append(current)
            // An item that changed and changed back is as it was.
            if current != record { changes.changed.append(current) }
        }
        changes.added = touched.subtracting(known).compactMap { matching[$0] }.sorted(by: precedes)
        touched = []
        results = (kept + changes.added).sorted(by: precedes)
        return changes
    }

    /// A total order, so that the same items always come in the same order.
    private func precedes(_ left: MetadataRecord, _ right: MetadataRecord) -> Bool {
        switch configuration?.order?(left, right) ?? .orderedSame {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: left.id < right.id
        }
    }
}
