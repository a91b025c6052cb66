import BatonCore
import FileSync
import Files
import Foundation
import Glibc
import Synchronization

/// The sync takes part in coordination as any process does: it claims what it reads and replaces, so that apps that use a file
/// make way first, and hear of what was done (D-6). On the queue.
extension ContainerEngine {
    // MARK: Steps

    /// Does a step, or says that it failed for now: what keeps it is waited for beside everything else.
    func perform(_ step: DiskStep, of id: EntryID) {
        let intent = planner.state.intents[id]
        let accesses = accesses(of: step, intent)
        // A step from before a crash may be done already, and all else waits for it.
        let isClaimed = hasScanned && !accesses.isEmpty
        if isClaimed, claims.obtain(.step(id), accesses) != .granted {
            expireLater(.step(id))
            inbox.append(.performed(id, .failed))
            return
        }
        let news = news(of: step)
        let displaced = intent?.displaced ?? [:]
        let outcome = disk.perform(step) { displaced[$0] != nil }
        if case .done = outcome { claims.end(.step(id), news) } else { claims.end(.step(id), []) }
        note(outcome, of: id)
        inbox.append(.performed(id, outcome))
    }

    private func accesses(of step: DiskStep, _ intent: Intent?) -> [FileAccess] {
        switch step {
        case .place(_, let place): access(.writing, place)
        case .replace(_, let old):
            // Over what is gone for good something else comes to stand.
            access(intent?.outcome.values.contains { $0 == nil } == true ? .replacing : .writing, old.place)
        case .substitute(_, _, let old):
            // Replacing a placeholder takes nothing away from any process, and may be what a reader waits for.
            disk.isPlaceholder(old.place.name) ? [] : access(.changingAttributes, old.place)
        case .move(let old, let place): access(.moving, old.place) + access(.writing, place)
        case .exchange(let one, let other): access(.moving, one.place) + access(.moving, other.place)
        case .remove(let old): access(.deleting, old.place)
        case .setMetadata(let old, let values): values.isEmpty ? [] : access(.changingAttributes, old.place)
        }
    }

    private func news(of step: DiskStep) -> [FileNews] {
        switch step {
        case .place(_, let place): path(of: place).map { [.appeared($0)] } ?? []
        case .replace(_, let old): path(of: old.place).map { [.changed($0)] } ?? []
        case .substitute(_, let place, let old):
            disk.isPlaceholder(old.place.name)
                ? path(of: place).map { [.appeared($0)] } ?? [] : path(of: old.place).map { [.changed($0)] } ?? []
        case .move(let old, let place): moved(path(of: old.place), path(of: place))
        case .exchange(let one, let other):
            if let one = path(of: one.place), let other = path(of: other.place) { [.exchanged(one, other)] } else { [] }
        case .remove(let old): path(of: old.place).map { [.disappeared($0)] } ?? []
        case .setMetadata(let old, let values):
            values.isEmpty ? [] : path(of: old.place).map { [.changed($0)] } ?? []
        }
    }

    /// Entries that cannot get past each other leave the tree for a moment.
    private func moved(_ source: String?, _ destination: String?) -> [FileNews] {
        switch (source, destination) {
        case (let source?, let destination?): [.moved(source, to: destination)]
        case (let source?, nil): [.disappeared(source)]
        case (nil, let destination?): [.appeared(destination)]
        case (nil, nil): []
        }
    }

    private func access(_ kind: FileAccess.Kind, _ place: LocalPlace) -> [FileAccess] {
        path(of: place).map { [FileAccess(kind, $0)] } ?? []
    }

    /// Nil for what is not in the tree, and for a name that is no text.
    func path(of place: LocalPlace) -> String? {
        disk.path(of: place).map { "\(realPath)/\($0)" }
    }

    // MARK: Reading

    /// - Returns: whether it may be read now. Else it is read when that may be.
    func claimReading(_ handle: LocalHandle, _ kind: EntryKind, _ fingerprint: Fingerprint) -> Bool {
        guard let place = disk.places[handle], let path = path(of: place) else { return true }
        let purpose = ContainerClaims.Purpose.reading(handle)
        switch claims.obtain(purpose, [FileAccess(.reading, path)]) {
        case .granted: return true
        case .waiting:
            reads.wanted[handle] = fingerprint
            reads.waiting[handle] = kind
            expireLater(purpose)
        case .heldUp:
            reads.wanted[handle] = fingerprint
            reads.waiting[handle] = kind
            later(after: Self.retryDelay) { $0.readAgain(handle) }
        }
        return false
    }

    private func readAgain(_ handle: LocalHandle) {
        guard !isStopped, let fingerprint = reads.wanted[handle], let kind = reads.waiting.removeValue(forKey: handle)
        else {
            return
        }
        read(handle, kind, fingerprint)
        round()
    }

    // MARK: Answers

    func answered(_ purpose: ContainerClaims.Purpose, _ id: UInt64, _ answer: ClaimAnswer) {
        guard !isStopped else { return }
        let goesOn = claims.take(answer, to: purpose, id)
        switch purpose {
        case .reading(let handle):
            guard goesOn else { return later(after: Self.retryDelay) { $0.readAgain(handle) } }
            readAgain(handle)
        case .step(let entry):
            guard goesOn else { return tellNews() }
            // The entry's step may be another one by now, or none: then the claim is for nothing.
            inbox.append(.retry(waitingSteps.removeValue(forKey: entry) ?? [entry]))
            round()
        }
        if case .reading(let handle) = purpose, reads.underWay.contains(handle) { return }
        if claims.id(of: purpose) == id { claims.forget(purpose) }
    }

    private func expireLater(_ purpose: ContainerClaims.Purpose) {
        guard let id = claims.id(of: purpose) else { return }
        if case .step(let entry) = purpose {
            waitingSteps[entry] = planner.state.intents[entry].map { Array($0.outcome.keys) } ?? [entry]
        }
        later(after: ports.patience) { $0.expire(purpose, id) }
    }

    /// The others go on without it; a person is shown why this one does not.
    private func expire(_ purpose: ContainerClaims.Purpose, _ id: UInt64) {
        guard !isStopped else { return }
        let (waits, holders) = claims.expire(purpose, id)
        if waits { return later(after: ports.patience) { $0.expire(purpose, id) } }
        guard !holders.isEmpty, let path = claims.waits[purpose]?.accesses.first?.path else { return }
        record(
            "file_in_use",
            "\(holders.joined(separator: ", ")) keeps “\(path)” and does not let go of it. Other files are synced meanwhile.",
            ["path": path])
        if case .reading(let handle) = purpose { later(after: Self.retryDelay) { $0.readAgain(handle) } }
        tellNews()
    }

    static func resolved(_ path: String) -> String { RealPath.resolved(path) ?? path }
}

/// Lets a container's parts reach it without keeping it.
final class WeakContainer: Sendable {
    private struct Reference { weak var container: ContainerEngine? }
    private let reference = Mutex(Reference())

    var container: ContainerEngine? {
        get { reference.withLock { $0.container } }
        set { reference.withLock { $0.container = newValue } }
    }
}
