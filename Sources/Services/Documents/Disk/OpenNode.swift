import CLinux
import FileSync
import Glibc
import Synchronization

/// An open file or folder, closed when the last reference goes: a caller that passes on its number keeps it until the call is
/// over.
final class OpenNode: Sendable {
    private let descriptor: Int32
    private let rest: NodeRest?

    /// - Parameter number: what a system call returned.
    init(_ number: Int32, _ action: String) throws(DiskFailure) {
        guard number >= 0 else { throw DiskFailure(action) }
        descriptor = number
        rest = nil
    }

    /// A folder that may be closed while it is not used.
    /// - Parameter open: makes the system call, also when the folder is used again.
    init(resting open: @escaping @Sendable () -> Int32, _ action: String) throws(DiskFailure) {
        let number = open()
        guard number >= 0 else { throw DiskFailure(action) }
        do throws(DiskFailure) {
            rest = NodeRest(try DiskNode.look(number).handle, open)
        } catch {
            close(number)
            throw error
        }
        descriptor = number
    }

    deinit { close(descriptor) }

    /// For system calls, which refuse -1: a folder that was closed is not there any more.
    var number: Int32 { rest?.wake(descriptor) ?? true ? descriptor : -1 }

    var mayRest: Bool { rest != nil }

    /// Whether a folder that may rest does.
    var isAtRest: Bool { rest?.isClosed ?? false }

    /// Closes a folder that may rest, if it was not used for so long.
    func rest(unusedFor time: Duration) { rest?.close(descriptor, unusedFor: time) }
}

/// Closes a folder while it is not used: an open one keeps its disk from being unmounted. Its number leads nowhere then, and
/// belongs to nothing else.
private final class NodeRest: Sendable {
    private struct State {
        var isClosed = false
        var used = ContinuousClock.now
    }

    private let handle: LocalHandle
    private let open: @Sendable () -> Int32
    private let state = Mutex(State())

    init(_ handle: LocalHandle, _ open: @escaping @Sendable () -> Int32) {
        self.handle = handle
        self.open = open
    }

    /// - Returns: false where the folder is not there any more, or another one is.
    func wake(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            state.used = .now
            guard state.isClosed else { return true }
            let number = open()
            guard number >= 0 else { return false }
            defer { Glibc.close(number) }
            guard (try? DiskNode.look(number))?.handle == handle, baton_redirect(descriptor, number) >= 0 else {
                return false
            }
            state.isClosed = false
            return true
        }
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    func close(_ descriptor: Int32, unusedFor time: Duration) {
        state.withLock { state in
            guard !state.isClosed, state.used.duration(to: .now) >= time else { return }
            let nothing = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard nothing >= 0 else { return }
            defer { Glibc.close(nothing) }
            state.isClosed = baton_redirect(descriptor, nothing) >= 0
        }
    }
}
