import BatonCore
import FileSync
import Synchronization

/// Contents under `Documents` that come ahead, where the person wants that (`documents.prefetch`): a few at a time, so that what a person
/// asks for does not wait long.
extension DocumentsService {
    private static let prefetchInterval = Duration.seconds(30)
    private static let prefetchPause = Duration.milliseconds(500)
    /// Contents that are asked for at once.
    private static let prefetchedAtOnce = 8
    private static let prefetchedBytes: UInt64 = 32 << 20
    /// After so long those that were asked for are waited for no more; they come all the same.
    private static let prefetchPatience = Duration.seconds(600)

    /// The contents that come ahead now.
    struct Prefetching {
        /// Contents that did not come are tried again then.
        static let patience = Duration.seconds(3600)

        var isUnderWay = false
        /// The contents that did not come. Bound: what is in the containers.
        private var missing: [ContainerName: Set<EntryID>] = [:]
        private var since = ContinuousClock.now

        mutating func failed(in container: ContainerName, now: ContinuousClock.Instant = .now) -> Set<EntryID> {
            if since.duration(to: now) > Self.patience { (missing, since) = ([:], now) }
            return missing[container] ?? []
        }

        mutating func note(_ left: Set<EntryID>, in container: ContainerName) {
            if !left.isEmpty { missing[container, default: []].formUnion(left) }
        }
    }

    /// Begins to bring what is to come, beside all else.
    /// - Returns: when to look again; nil where nothing comes ahead.
    func prefetchSoon() -> Duration? {
        guard pacer.mayPrefetch, !running.isEmpty else { return nil }
        let isFirst = prefetching.withLock { state in
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst { start { [weak self] in await self?.prefetchAll() } }
        return Self.prefetchInterval
    }

    private func prefetchAll() async {
        for container in running {
            let failed = prefetching.withLock { $0.failed(in: container.name) }
            let left = await prefetch(container, except: failed)
            prefetching.withLock { $0.note(left, in: container.name) }
        }
        prefetching.withLock { $0.isUnderWay = false }
    }

    /// Brings what is to come of a container, as long as it may.
    /// - Returns: what did not come.
    func prefetch(_ container: ContainerEngine, except: Set<EntryID> = []) async -> Set<EntryID> {
        var failed: Set<EntryID> = []
        while !Task.isCancelled, pacer.mayPrefetch, let room = Self.prefetchRoom(at: container.path, pacer.limits.room)
        {
            let known = except.union(failed)
            // One in any case, however large, if it fits.
            var next =
                (try? await container.perform {
                    $0.prefetchCandidates(
                        room: min(room, Self.prefetchedBytes), atMost: Self.prefetchedAtOnce, except: known)
                }) ?? []
            if next.isEmpty {
                next =
                    (try? await container.perform { $0.prefetchCandidates(room: room, atMost: 1, except: known) }) ?? []
            }
            guard !next.isEmpty else { break }
            let ids = next.map(\.id)
            // Contents of apps have no pace of their own.
            if container.ports.pacer == nil {
                let bytes = next.reduce(UInt64(0)) { $0 + $1.bytes }
                guard (try? await pacer.wait(for: Int(clamping: bytes), .down)) != nil else { break }
            }
            guard (try? await container.perform({ $0.prefetch(ids) })) != nil else { break }
            guard let late = await come(ids, to: container) else { break }
            failed.formUnion(late)
        }
        return failed
    }

    /// - Returns: those that do not come; nil where they take too long.
    private func come(_ ids: [EntryID], to container: ContainerEngine) async -> Set<EntryID>? {
        let end = ContinuousClock.now + Self.prefetchPatience
        var (waiting, failed): ([EntryID], Set<EntryID>) = (ids, [])
        while !waiting.isEmpty {
            let asked = waiting
            guard ContinuousClock.now < end, let now = try? await container.perform({ $0.prefetching(asked) }) else {
                return nil
            }
            failed.formUnion(now.failed)
            waiting = now.rest
            guard !waiting.isEmpty else { break }
            do { try await Task.sleep(for: Self.prefetchPause) } catch { return nil }
        }
        return failed
    }

    /// Half as much again as is to stay free stays so: what comes ahead makes nothing leave.
    private static func prefetchRoom(at path: String, _ room: UInt64) -> UInt64? {
        guard let disk = DiskRoom(at: path) else { return nil }
        let kept = max(min(room, disk.all / 10), 1 << 28)
        let (needed, isTooLarge) = kept.addingReportingOverflow(kept / 2)
        guard !isTooLarge, disk.free > needed else { return nil }
        return disk.free - needed
    }
}
