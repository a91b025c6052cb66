import BatonCore
import Devices
import Logging
import Synchronization

/// The services whose data syncs. They may come and go while the engine runs.
extension SyncService {
    /// From now on this source's zones are kept the same. It takes the place of one of the same kind.
    package func add(_ source: any ZoneSource) async {
        state.withLock { $0.sources[source.kind] = source }
        post(.kindAdded(source.kind, source.policy))
        await addZones(of: source)
    }

    /// Stops all calls to the source of this kind; an operation in progress ends by itself. The source's own data and
    /// the cloud's copy stay.
    package func removeSource(of kind: ZoneName.Kind) {
        state.withLock { $0.sources[kind] = nil }
        post(.kindRemoved(kind))
    }

    package func removed(_ zone: ZoneName) { post(.removed(zone)) }

    private static let collection = Duration.seconds(12 * 60 * 60)

    /// Blobs that are not needed, now and twice a day.
    func collectBlobs() async {
        guard let blobs else { return }
        while !Task.isCancelled {
            do {
                let sources = state.withLock { Array($0.sources.values) }
                try await blobs.collect { candidates in
                    var needed: Set<BlobID> = []
                    for source in sources { needed.formUnion(try await source.neededBlobs(among: candidates)) }
                    return needed
                } named: { candidates in
                    var named: Set<BlobID> = []
                    for source in sources { named.formUnion(try await source.namedBlobs(among: candidates)) }
                    return named
                }
            } catch {
                logger.error("unneeded blobs cannot be removed: \(error)")
            }
            try? await Task.sleep(for: Self.collection, tolerance: .seconds(60))
        }
    }

    func forget(_ zone: ZoneName) async {
        do {
            if let owner { try await store.forget(zone, of: owner) }
        } catch {
            logger.error("the data of a zone that is not kept any more cannot be removed: \(error)")
        }
    }

    func source(of zone: ZoneName) -> (any ZoneSource)? { state.withLock { $0.sources[zone.kind] } }

    var codec: AccessCodec {
        AccessCodec(access: access) { [self] kind in state.withLock { $0.sources[kind] }?.codec }
    }

    /// - Throws: while the zone must not be written: see ``ZonePolicy/requires``.
    func prepare(_ zone: ZoneName) async throws {
        let required = state.withLock { state in
            let policy = state.sources[zone.kind]?.policy ?? ZonePolicy()
            return policy.requires.compactMap { state.sources[$0] }.filter { $0.policy.priority > policy.priority }
        }
        for source in required { try await source.prepareDependents() }
    }

    func addZones() async {
        for source in state.withLock({ Array($0.sources.values) }) { await addZones(of: source) }
    }

    private func addZones(of source: any ZoneSource) async {
        do {
            for zone in try await source.zones() {
                post(.added(zone))
                // Devices that are near already were asked before it was known.
                changes.add(zone)
            }
        } catch {
            logger.error("the zones of \(source.kind.rawValue) cannot be read: \(error)")
        }
    }

    func tellSources(_ event: AccountEvent) {
        for source in state.withLock({ Array($0.sources.values) }) {
            for (zone, news) in source.news(of: event) {
                switch news {
                case .changed: changed(zone)
                case .opened: opened(zone)
                }
            }
        }
    }

    /// A key came that may open what could not be opened.
    func refreshSealed() {
        let zones = state.withLock { state in
            state.machine.zones.keys.filter { state.sources[$0.kind]?.codec == nil }
        }
        for zone in zones { post(.refresh(zone)) }
    }
}
