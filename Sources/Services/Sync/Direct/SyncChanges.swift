import Synchronization

/// Zones that have changed since they were looked at. Bound: the zones.
final class SyncChanges: Sendable {
    private let zones = Mutex<Set<ZoneName>>([])
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() { (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ zone: ZoneName) {
        zones.withLock { _ = $0.insert(zone) }
        ring.yield()
    }

    func take() -> Set<ZoneName> {
        zones.withLock { zones in
            defer { zones = [] }
            return zones
        }
    }

    func wake() { ring.yield() }
}
