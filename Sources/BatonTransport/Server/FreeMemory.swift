import Dispatch
import Glibc
import Synchronization

/// Memory that was freed and that the allocator keeps. Without this, a server stays as large as its busiest moment.
package enum FreeMemory {
    private static let isPlanned = Atomic(false)

    /// Gives it back to the system a second later, since what holds it is often freed a little after its last use.
    package static func giveBackSoon() {
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
            isPlanned.store(false, ordering: .relaxed)
            giveBack()
        }
    }

    /// `malloc_trim(0)`, which the Glibc module leaves out.
    private static func giveBack() {
        typealias Function = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(0)
    }
}
