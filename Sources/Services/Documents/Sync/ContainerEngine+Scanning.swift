import BatonCore
import BatonTransport
import FileSync
import Foundation
import Glibc

/// Looking at the disk.
extension ContainerEngine {
    private static let unsteadyInARow = 5
    private static let missingInARow = 3
    /// After a look at so much what was freed of memory is given back.
    private static let largeScan = 5000

    func noticed(_ news: [DirectoryWatcher.News]) {
        for news in news {
            switch news {
            case .changed(let handle): dirty.insert(disk.listed(for: handle))
            case .overflow: dirty.insert(disk.rootHandle)
            }
            if case .overflow = news { scanEverything() }
        }
        guard !isGathering, !dirty.isEmpty else { return }
        isGathering = true
        // Files that this device itself puts into a large directory cause events too: it is not listed anew all the time.
        let rest = min(looks.took * 4, Self.longestGathering) - looks.last.duration(to: .now)
        later(after: max(Self.gathering, rest)) { container in
            container.isGathering = false
            let directories = container.dirty
            container.dirty = []
            guard !container.isStopped, !directories.isEmpty else { return }
            guard container.disk.isRootThere else {
                container.scanEverything()
                return container.round()
            }
            guard !container.isReadOnly else { return container.lookForLocalChanges() }
            // Other rules are about all that is not synced.
            if directories.contains(container.disk.rootHandle), container.disk.readIgnoreFile() {
                container.scanEverything()
                return container.round()
            }
            let known = directories.filter { $0 == container.disk.rootHandle || container.disk.places[$0] != nil }
            let begin = ContinuousClock.now
            var scan = container.disk.scan(known, container.context)
            container.looks = (.now, begin.duration(to: .now))
            scan.moves = container.watcher?.renames.places ?? [:]
            container.inbox.append(.scanned(scan))
            // A look at everything says so, and comes again until it may be read.
            if container.disk.hasClosed, container.notes.problem == nil { container.scanEverything() }
            // One that is new there has no watch, and would be looked at no more.
            if container.disk.hasMissed { container.lookAgain() }
            container.round()
        }
    }

    var context: ContainerDisk.ScanContext {
        // A file that a step has put into the tree, or is about to, is known though the planner has not heard yet that it was
        // done: under a name that is ignored it would seem to be gone.
        let placed = Set(planner.state.intents.values.flatMap { $0.outcome.values.compactMap { $0?.handle } })
        adopting = adopting.filter { planner.state.base.id(of: $0) == nil }
        return ContainerDisk.ScanContext(
            isKnown: { [planner, adopting] in
                planner.state.base.id(of: $0) != nil || placed.contains($0) || adopting.contains($0)
            },
            isWrittenOver: { [planner] handle, fingerprint in
                guard let id = planner.state.base.id(of: handle), let record = planner.state.base[id] else {
                    return false
                }
                return record.isPlaceholder && !record.fingerprint.hasSameTimeAndSize(as: fingerprint)
            },
            // The watch of a directory that was moved away stays. When it comes back, what is in it must be looked at.
            isWatched: { [watcher, planner] handle in
                guard let id = planner.state.base.id(of: handle), !planner.state.held.contains(id) else { return false }
                return watcher?.watched.contains(handle) ?? false
            },
            willList: { [watcher] directory, handle in watcher?.watch(directory, handle) },
            isPackage: { [planner, ports] directory, name, handle in
                let base = planner.state.base
                if let id = base.id(of: handle), let record = base[id] { return record.kind == .package }
                let parent = directory == planner.state.rootHandle ? EntryID.root : base.id(of: directory)
                if let parent, let name = try? EntryName(name), let occupant = base.occupant(of: parent, name),
                    base[occupant]?.kind == .package
                {
                    return true
                }
                return String(validating: name, as: UTF8.self).map(ports.isPackage) ?? false
            },
            isSynced: { [planner, disk] place in
                Self.id(ofDirectory: place.directory, planner.state, disk).flatMap {
                    planner.state.base.occupant(of: $0, place.name)
                } != nil
            },
            attributes: { [planner] handle in
                guard let id = planner.state.base.id(of: handle), let record = planner.state.base[id] else {
                    return [:]
                }
                return record.metadata.filter { if case .attribute = $0.key { true } else { false } }
            })
    }

    /// Where nothing is known of a directory, as of a copy that was put in another one's place, it is the one that was there: the planner
    /// takes it for that too, and what the scan leaves out of it would count as deleted.
    private static func id(
        ofDirectory directory: LocalHandle, _ state: FileSyncState, _ disk: ContainerDisk
    ) -> EntryID? {
        var (current, names) = (directory, [EntryName]())
        while true {
            let known = current == state.rootHandle ? .root : state.base.id(of: current)
            if let known {
                return names.reversed().reduce(known) { id, name in id.flatMap { state.base.occupant(of: $0, name) } }
            }
            guard names.count < ContainerDisk.maximumDepth, let place = disk.places[current] else { return nil }
            names.append(place.name)
            current = place.directory
        }
    }

    /// The planner waits for a scan of everything until it gets one. Whatever else waits for the queue comes first.
    func lookLater() {
        if let last = scans.last, last.duration(to: .now) > Self.scanRest { scans.count = 0 }
        scans.count += 1
        guard scans.count > Self.scansInARow else { return later { $0.lookNow() } }
        // Looks that follow each other take a tenth of the time at most.
        scans.count = Self.scansInARow / 2
        later(after: max(Self.scanPause, scans.took * (10 * Self.scansInARow / 2))) { $0.lookNow() }
    }

    private func lookNow() {
        guard !isStopped else { return }
        scanEverything()
        round()
    }

    /// - Parameter isAsked: a caller waits for it. Otherwise it takes half a processor at most.
    func scanEverything(isAsked: Bool = false) {
        guard disk.isRootThere else { return lostRoot() }
        hasScanned = true
        let begin = ContinuousClock.now
        defer { (scans.last, scans.took) = (.now, begin.duration(to: .now)) }
        if let watcher { _ = takeNews(of: watcher) }
        _ = disk.readIgnoreFile()
        let renames = watcher?.renames.places ?? [:]
        var context = context
        if !isAsked {
            var pace = ScanPace()
            context.didList = { [self] in
                let rest = pace.rest(at: begin.duration(to: .now), isWaitedFor: isWaitedFor)
                if let rest { Self.sleep(rest) }
            }
        }
        var (scan, isSteady) = disk.scanSteadily(context) { watcher.map(takeNews) ?? false }
        scan.moves = watcher?.renames.places ?? [:]
        unsteadyScans = isSteady ? 0 : unsteadyScans + 1
        // Files that went together with the root were not deleted.
        guard disk.isRootThere else { return lostRoot() }
        // A program that never stops moving directories does not stop the sync.
        if scan.isComplete, !isSteady, unsteadyScans <= Self.unsteadyInARow {
            scan.isComplete = false
            inbox.append(.scanned(scan))
            return later(after: Self.scanPause) { $0.lookNow() }
        }
        inbox.append(.scanned(scan))
        if scan.listings.reduce(0, { $0 + $1.nodes.count }) > Self.largeScan { FreeMemory.giveBackSoon() }
        if isReadOnly, scan.isComplete { notes.changedHere = planner.differences(in: scan).count }
        if scan.isComplete { watcher?.renames.forget(renames) }
        if notes.problem?.reason == "unreadable_directory" { notes.problem = nil }
        missingScans = scan.isComplete || disk.hasClosed ? 0 : missingScans + 1
        if (1..<Self.missingInARow).contains(missingScans) {
            // A program deletes a tree while it is looked at: the next look shows that.
            later(after: Self.scanPause) { $0.lookNow() }
        } else if !scan.isComplete {
            notes.problem = unreadableDirectory
            lookAgain()
        } else if watcher?.isExhausted ?? true {
            later(after: Self.slowScan(begin.duration(to: .now))) { $0.lookNow() }
        }
    }

    /// Soon, once for all looks that showed not everything until then, and for a tenth of the time at most.
    private func lookAgain() {
        guard !isLookAgainDue else { return }
        isLookAgainDue = true
        later(after: max(Self.retryDelay, scans.took * 10)) { container in
            container.isLookAgainDue = false
            container.lookNow()
        }
    }

    /// Why the last scan did not show everything.
    var unreadableDirectory: BatonError {
        if let covered = disk.covered.flatMap({ disk.path(of: $0) }) {
            return BatonError(
                .failedPrecondition, reason: "unreadable_directory",
                "Another disk, or a subvolume, is at “\(covered.shortened(toBytes: 400))” in “\(path)”, in place of what is synced there, "
                    + "so nothing that is missing counts as deleted. Unmount it if it is a disk. If it is a subvolume, copy it into an ordinary "
                    + "directory in the folder, and put that in its place.")
        }
        guard disk.hasClosed else {
            return BatonError(
                .unavailable, reason: "unreadable_directory",
                "A folder in “\(path)” was missed by each of the last looks, so nothing that is missing counts as deleted. It is tried again: "
                    + "wait for programs that change many folders there, and shorten paths of more than \(ContainerDisk.maximumDepth) folders."
            )
        }
        let closed = disk.closed.flatMap { disk.places[$0] }.flatMap { disk.path(of: $0) }
        return BatonError(
            .permissionDenied, reason: "unreadable_directory",
            (closed.map { "The folder “\($0.shortened(toBytes: 400))” in “\(path)”" } ?? "A folder in “\(path)”")
                + " cannot be read, so nothing that is missing counts as deleted. Allow your user to read it.")
    }

    /// On the container's own queue, which may block.
    private static func sleep(_ time: Duration) {
        usleep(UInt32(clamping: time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000))
    }

    /// - Returns: whether a directory was moved.
    private func takeNews(of watcher: DirectoryWatcher) -> Bool {
        let (news, hasMoves) = watcher.take()
        // Everything is looked at in any case.
        noticed(news.filter { if case .changed = $0 { true } else { false } })
        return hasMoves
    }

    private func lostRoot() {
        if notes.problem?.reason != "container_gone" {
            notes.problem = BatonError(
                .failedPrecondition, reason: "container_gone",
                "The folder “\(path)” is missing or was replaced. Nothing is deleted on other devices. Restart the daemon to "
                    + "get its files again.")
            record("container_gone", notes.problem?.message ?? "")
            inbox.append(.rootLost)
        }
        inbox.append(.scanned(LocalScan(listings: [], isComplete: true)))
        guard !isLookingForRoot else { return }
        isLookingForRoot = true
        later(after: Self.retryDelay) { container in
            container.isLookingForRoot = false
            guard container.disk.isRootThere else { return container.lostRoot() }
            container.notes.problem = nil
            container.inbox.append(.rootFound)
            container.round()
        }
    }
}
