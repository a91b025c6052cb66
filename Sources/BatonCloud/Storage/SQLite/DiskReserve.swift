import Glibc
import Synchronization

/// Reserved disk space: a file without contents. While the disk is full, the file is given up to make room for
/// deletions, and then taken again.
///
/// All operations block and run on one thread at a time.
package final class DiskReserve: Sendable {
    /// Size of the reserve on a large disk; on a smaller one, an eighth of the disk.
    package static let size = 32 << 20

    private struct State {
        var held = 0
        var wanted = 0
        var lastTry: ContinuousClock.Instant?
    }

    private let path: String
    private let state = Mutex(State())

    /// Takes nothing yet.
    package init(path: String) { self.path = path }

    /// Whether it is as large as it should be, or nearly.
    package var isHeld: Bool { state.withLock { $0.held >= $0.wanted / 2 } }

    /// How large it should be.
    package var wanted: Int { state.withLock { $0.wanted } }

    /// Whether some of it is missing, and it is time to try again.
    package var isDue: Bool {
        state.withLock { state in
            guard state.held < state.wanted else { return false }
            let now = ContinuousClock.now
            if let last = state.lastTry, last.duration(to: now) < .seconds(1) { return false }
            state.lastTry = now
            return true
        }
    }

    /// Takes as much as there is, up to what is wanted.
    package func take() {
        state.withLock { state in
            var disk = statvfs()
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            guard fstatvfs(descriptor, &disk) == 0 else { return }
            state.wanted = min(
                Self.size, Int(clamping: UInt64(disk.f_blocks)) / 8 * Int(clamping: UInt64(disk.f_frsize)))
            // The whole, else what is left: what cannot be had in one piece may be had in smaller ones.
            var step = state.wanted
            while state.held < state.wanted, step >= 4096 {
                let part = min(step, state.wanted - state.held)
                if posix_fallocate(descriptor, off_t(state.held), off_t(part)) == 0 {
                    state.held += part
                } else {
                    ftruncate(descriptor, off_t(state.held))
                    step /= 2
                }
            }
        }
    }

    /// Gives all of it back to the disk.
    package func release() {
        state.withLock { state in
            unlink(path)
            state.held = 0
        }
    }
}
