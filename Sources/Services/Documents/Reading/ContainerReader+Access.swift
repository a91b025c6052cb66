import BatonCore
import FileSync

/// Why a file waits: its explanation for people.
extension ContainerReader {
    /// Why a file waits for an app; nil where it does not.
    func accessProblem(of id: EntryID) -> (finding: String, isHeldUp: Bool)? {
        var purposes: [ContainerClaims.Purpose] = [.step(id)]
        if let record = planner.state.base[id] { purposes.append(.reading(record.handle)) }
        for purpose in purposes {
            guard let wait = claims.waits[purpose] else { continue }
            let seconds = wait.since.duration(to: .now).components.seconds
            let holders = claims.holders(wait).joined(separator: ", ")
            if !holders.isEmpty {
                return ("\(holders) has been using it for \(seconds) s; it waits for that", wait.isHeldUp)
            }
            if let refusal = wait.refusal { return (refusal, true) }
            guard claims.id(of: purpose) != nil else { continue }
            return ("it waits for an app that shows it to make way", false)
        }
        guard let record = planner.state.base[id], isBeingWritten(record.handle) else { return nil }
        return (Self.beingWritten, false)
    }

    /// Why a file that is on the disk is no item yet; nil where there is no such file.
    func newFileProblem(_ path: String) -> String? {
        let handle = reads.wanted.keys.first { disk.places[$0].flatMap { disk.path(of: $0) } == path }
        guard let handle else { return nil }
        if reads.unreadable.contains(handle) { return Self.unreadable }
        return isBeingWritten(handle) ? Self.beingWritten : nil
    }

    private static let unreadable = "your user may not read it; it is sent once it may"

    private static let beingWritten = "a program has it open for writing; it is sent once the program closes it"

    private func isBeingWritten(_ handle: LocalHandle) -> Bool {
        reads.wanted[handle] != nil && reads.waiting[handle] == nil && !reads.unreadable.contains(handle)
    }
}
