import BatonTransport
import FileSync

/// Memory that much work has freed goes back to the system.
extension ContainerEngine {
    /// Less than this frees too little to look for it.
    private static let littleWork = 500
    /// Memory of a round is often held a while longer than that.
    private static let rest = Duration.seconds(5)

    /// At once after much work, and after less of it once there was none for a while: the rounds after the last large one free most.
    func giveBackMemory() {
        if work > Self.largeWork { return giveBackNow() }
        guard work > Self.littleWork, !isGivingBackDue else { return }
        isGivingBackDue = true
        later(after: Self.rest) {
            $0.isGivingBackDue = false
            if $0.work > 0 { $0.giveBackNow() }
        }
    }

    private func giveBackNow() {
        work = 0
        planner.compact()
        disk.places.compact()
        keeping.releaseMemory()
        FreeMemory.giveBackSoon()
    }
}
