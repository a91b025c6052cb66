import Dispatch
import Glibc
import Synchronization

/// Memory that was freed and that the allocator keeps. Without this, a server stays as large as its busiest moment.
package enum FreeMemory {
    private static let heaps: Int32 = 2
    /// While more work goes on, memory that is given back is only asked for again: so it waits for the end of that, but not longer.
    private static let patience = 5
    private static let isPlanned = Atomic(false)
    private static let calls = Atomic<UInt64>(0)

    /// Gives it back to the system when this was not called for a second, and again when all is quiet, since what holds it is often freed
    /// after its last use.
    package static func giveBackSoon() {
        let call = calls.add(1, ordering: .relaxed).newValue
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        plan(call, patience)
    }

    private static func plan(_ call: UInt64, _ patience: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
            let last = calls.load(ordering: .relaxed)
            guard last == call || patience <= 1 else { return plan(last, patience - 1) }
            isPlanned.store(false, ordering: .relaxed)
            giveBack()
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 14) {
                if calls.load(ordering: .relaxed) == last { giveBack() }
            }
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
