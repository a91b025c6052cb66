import BatonConcurrency

/// Zones that have changed since they were looked at. Bound: the zones.
final class SyncChanges: Sendable {
    private let zones = Mailbox<Set<ZoneName>>([])

    var signals: AsyncStream<Void> { zones.changes }

    func add(_ zone: ZoneName) { zones.post { $0.insert(zone) } }

    func take() -> Set<ZoneName> { zones.take(leaving: []) }

    func wake() { zones.wake() }
}
