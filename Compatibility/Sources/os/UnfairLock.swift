// As on Apple's systems, where the module brings the system's C library along.
@_exported import Glibc

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// A lock that a thread waits for asleep. The system's, here a mutex of POSIX: zeros are how glibc begins one.
public typealias os_unfair_lock = pthread_mutex_t
// swift-format-ignore: TypeNamesShouldBeCapitalized
/// Apple's other name of the lock.
public typealias os_unfair_lock_s = os_unfair_lock
// swift-format-ignore: TypeNamesShouldBeCapitalized
/// A lock's place.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Waits for the lock and takes it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { _ = pthread_mutex_lock(lock) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Takes the lock if nobody holds it.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(lock) == 0 }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Gives the lock back.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { _ = pthread_mutex_unlock(lock) }

// @unchecked: what changes lies behind the lock, which is in memory of its own that does not move.
/// A lock with a state that it protects. The system's. Safe to use from any thread.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Storage {
        let lock: UnsafeMutablePointer<os_unfair_lock>
        var state: State

        init(_ state: State) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            self.state = state
        }

        deinit { lock.deallocate() }
    }

    private let storage: Storage

    /// A lock with a state that may be of any type.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Runs with the state, while nobody else does.
    public func withLockUnchecked<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
        os_unfair_lock_lock(storage.lock)
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Runs with the state, while nobody else does.
    public func withLock<Output: Sendable>(_ body: @Sendable (inout State) throws -> Output) rethrows -> Output {
        try withLockUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// A lock with a state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock without a state.
    public init() { self.init(uncheckedState: ()) }
    /// Waits for the lock and takes it.
    public func lock() { os_unfair_lock_lock(storagePointer) }
    /// Gives the lock back.
    public func unlock() { os_unfair_lock_unlock(storagePointer) }
    private var storagePointer: os_unfair_lock_t { storage.lock }
    /// Runs while nobody else does.
    public func withLock<Output: Sendable>(_ body: @Sendable () throws -> Output) rethrows -> Output {
        try withLockUnchecked { _ in try body() }
    }
}
