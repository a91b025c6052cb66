import Dispatch
import Glibc
import Synchronization

/// Memory that was freed and that the allocator keeps. Without this, a server stays as large as its busiest moment.
package enum FreeMemory {
    private static let heaps: Int32 = 2
    private static let isPlanned = Atomic(false)
    private static let calls = Atomic<UInt64>(0)

    /// Gives it back to the system a second later, and again when all is quiet, since what holds it is often freed after its last use.
    package static func giveBackSoon() {
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
            isPlanned.store(false, ordering: .relaxed)
            giveBack()
        }
        let call = calls.add(1, ordering: .relaxed).newValue
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 15) {
            if calls.load(ordering: .relaxed) == call { giveBack() }
        }
    }

    /// Threads share a few heaps. Otherwise each has one of its own, and what is left in many of them keeps most of their pages. Called
    /// first of all.
    package static func shareHeaps() {
        typealias Function = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        // M_ARENA_MAX, which the Glibc module leaves out.
        _ = unsafeBitCast(symbol, to: Function.self)(-8, heaps)
    }

    /// `malloc_trim(0)`, which the Glibc module leaves out.
    private static func giveBack() {
        typealias Function = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(0)
    }
}
