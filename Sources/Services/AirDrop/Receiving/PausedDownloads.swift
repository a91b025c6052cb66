import BatonConcurrency
import BatonCore
import Dispatch
import Files
import Synchronization
import Transfers

/// The parts of interrupted transfers of own devices, so that sending the same again goes on where it was. Safe to use
/// from any thread.
///
/// It stays in the hidden folder that it came into, for an hour. Policy: of more than four the oldest goes, and all go when
/// the disk has no room for something else.
final class PausedDownloads: Sendable {
    /// The parts that must be the same: not only the names, but every file unchanged.
    struct Key: Hashable {
        let device: DeviceID
        let manifest: TransferManifest
        /// As the person chose it; nil for the usual places.
        let directory: String?
    }

    private struct Paused {
        let number: UInt64
        let key: Key
        let download: PausedDownload
    }

    private static let lifetime = Duration.seconds(3600)
    private static let maximum = 4

    private let state = Mutex<(last: UInt64, all: [Paused])>((0, []))

    func add(_ download: PausedDownload, _ key: Key) {
        let (number, _) = state.withLock { state -> (UInt64, [Paused]) in
            state.last += 1
            let gone = state.all.filter { $0.key == key }
            state.all.removeAll { $0.key == key }
            state.all.append(Paused(number: state.last, key: key, download: download))
            let surplus = state.all.count - Self.maximum
            let old = surplus > 0 ? Array(state.all.prefix(surplus)) : []
            state.all.removeFirst(old.count)
            // Their folders are removed outside of the lock.
            return (state.last, gone + old)
        }
        _ = DeadlineTimer.shared.schedule(after: Self.lifetime) { [weak self] in
            // Removing a large folder blocks.
            AirDropReceiverService.disk.queue.async { self?.remove(number) }
        }
    }

    func take(_ key: Key) -> PausedDownload? {
        state.withLock { state in
            guard let index = state.all.firstIndex(where: { $0.key == key }) else { return nil }
            return state.all.remove(at: index).download
        }
    }

    /// Gives up what is paused where the disk would be too small for something else.
    func makeRoom(for bytes: UInt64, at folder: String) {
        guard let free = StagingFolder.freeBytes(at: folder), free < bytes else { return }
        removeAll()
    }

    func removeAll() {
        _ = state.withLock { state in
            defer { state.all = [] }
            return state.all
        }
    }

    private func remove(_ number: UInt64) {
        _ = state.withLock { state in
            defer { state.all.removeAll { $0.number == number } }
            return state.all.filter { $0.number == number }
        }
    }
}
