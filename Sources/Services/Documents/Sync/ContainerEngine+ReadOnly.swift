import BatonCore
import FileSync
import Foundation
import Glibc

/// A folder that only receives on this device. Changes made in it are shown, are not sent, and can be undone. On the queue.
extension ContainerEngine {
    var isReadOnly: Bool { planner.state.isReadOnly }

    struct LocalChange: Sendable {
        var change: LocalDifference.Change
        /// Below the folder.
        var path: String
    }

    struct Reverted: Sendable {
        var changes = 0
        /// Changes that are there still: a program has a database open, say.
        var left = 0
        /// Absolute: where what was undone is; empty where nothing had to be kept.
        var kept = ""
    }

    /// Before anybody asks, after a change of the disk.
    private static let lookDelay = Duration.seconds(2)

    static let readOnly = BatonError(
        .failedPrecondition, reason: "read_only_folder",
        "The folder only receives on this device, so nothing in it can be changed for others here. Do it on another device; or leave "
            + "the folder, and join it without --read-only.")

    func checkMayChange() throws(BatonError) { if isReadOnly { throw Self.readOnly } }

    /// Differences from the account's state, found by looking at the whole disk; sorted by path.
    func localChanges() throws -> [LocalChange] {
        var changes = try differences().compactMap { difference in
            // A name that is no text is shown all the same.
            disk.bytes(of: difference.place).map {
                LocalChange(change: difference.change, path: String(decoding: $0, as: UTF8.self))
            }
        }
        // The contents of a folder that was deleted are implied.
        let deleted = Set(changes.filter { $0.change == .deleted }.map(\.path))
        changes.removeAll { change in
            change.change == .deleted
                && change.path.split(separator: "/").indices.dropLast().contains { index in
                    deleted.contains(change.path.split(separator: "/")[...index].joined(separator: "/"))
                }
        }
        notes.changedHere = changes.count
        return changes.sorted { $0.path < $1.path }
    }

    private func differences() throws -> [LocalDifference] {
        round()
        guard disk.isRootThere else { throw FolderMark.away(path) }
        let scan = disk.scanEverything(context)
        guard scan.isComplete else { throw unreadableDirectory }
        return planner.differences(in: scan)
    }

    /// Looks soon, for ``ContainerNotes/changedHere``. A large folder is looked at for a tenth of the time at most.
    func lookForLocalChanges() {
        guard !isLookDue else { return }
        isLookDue = true
        later(after: max(Self.lookDelay, scans.took * 10)) { container in
            container.isLookDue = false
            guard !container.isStopped else { return }
            container.scanEverything()
            container.round()
        }
    }

    /// Brings the folder to what the account has. Files that a person made or changed go to a folder beside.
    func revert() throws -> Reverted {
        guard isReadOnly else {
            throw BatonError(
                .failedPrecondition, reason: "not_read_only",
                "The folder does not only receive on this device: changes made here are on the others too. “baton versions” and "
                    + "“baton documents” bring back what was before.")
        }
        let differences = try differences()
        var result = Reverted()
        let aside = RevertedFiles(disk, time: Self.time(ports.clock.milliseconds))
        var again: [EntryID] = []
        for difference in differences where difference.change == .moved && difference.kind == .directory {
            if moveBack(difference) {
                result.changes += 1
            } else {
                take(difference, aside, &again, &result)
            }
        }
        for difference in differences where difference.kind != .directory {
            switch difference.change {
            case .edited, .described, .moved: take(difference, aside, &again, &result)
            case .created, .deleted: break
            }
        }
        for difference in differences where difference.change == .created { take(difference, aside, &again, &result) }
        for difference in differences where difference.change == .deleted {
            guard let id = difference.entry else { continue }
            again.append(id)
            result.changes += 1
        }
        for difference in differences where difference.change == .described && difference.kind == .directory {
            guard let id = difference.entry else { continue }
            inbox.append(.command(.describe(id, difference.metadata)))
            result.changes += 1
        }
        if !again.isEmpty { inbox.append(.command(.bringAgain(again))) }
        record(
            "folder_reverted", "\(result.changes) changes in “\(name)” were undone on this device.",
            ["changes": String(result.changes), "left": String(result.left)])
        notes.changedHere = result.left
        scanEverything(isAsked: true)
        round()
        return result
    }

    /// - Returns: false where something else has its place, or there is none any more.
    private func moveBack(_ difference: LocalDifference) -> Bool {
        guard let id = difference.entry, let record = planner.state.base[id],
            let parent = handle(of: record.parent)
        else { return false }
        let place = LocalPlace(directory: parent, name: record.localName)
        return (try? disk.rename(difference.handle, from: difference.place, to: place)) != nil
    }

    private func take(
        _ difference: LocalDifference, _ aside: RevertedFiles, _ again: inout [EntryID], _ result: inout Reverted
    ) {
        do {
            try aside.take(difference.place, difference.handle)
            result.kept = "\(path)/\(aside.path)"
            result.changes += 1
            if let id = difference.entry { again.append(id) }
        } catch  where error.code == ESTALE {
            // It went with the folder that it is in.
            result.changes += 1
            if let id = difference.entry, difference.kind != .directory { again.append(id) }
        } catch {
            result.left += 1
        }
    }

    /// A process wrote to a file after a newer one had come in its place: the change is not sent, and it is not lost.
    /// - Returns: whether it is kept beside.
    func keepLateChange(_ handle: LocalHandle) -> Bool {
        guard isReadOnly, let file = planner.state.displaced[handle] else { return false }
        let shown = planner.state.entries[file.entry]?.name.value.bytes ?? Array("file".utf8)
        let aside = RevertedFiles(disk, time: Self.time(ports.clock.milliseconds))
        return (try? aside.takeStaged(handle, as: shown)) != nil
    }

    /// A name that sorts by time, such as `2026-11-26T15.50.02Z`.
    static func time(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601).replacingOccurrences(
            of: ":", with: ".")
    }
}
