import AirDropProtocol
import BatonCore
import Synchronization

/// A folder that is packed while it is downloaded. Each file is read twice: its checksum stands before its bytes.
final class ZipReader: WebSource {
    private struct State {
        var index = 0
        var file: WebFile?
        var checksums: [UInt32] = []
        var isOver = false
    }

    private static let blockSize = 1 << 20

    private let plan: ZipPlan
    private let state = Mutex(State())

    init(_ plan: ZipPlan) { self.plan = plan }

    func next(_ size: Int) throws(BatonError) -> [UInt8]? {
        try state.withLock { state throws(BatonError) in try next(size, &state) }
    }

    private func next(_ size: Int, _ state: inout State) throws(BatonError) -> [UInt8]? {
        if let file = state.file {
            if let bytes = try file.next(size) { return bytes }
            state.file = nil
        }
        guard state.index < plan.entries.count else {
            guard !state.isOver else { return nil }
            state.isOver = true
            return zip(plan.entries, state.checksums).flatMap { ZipHeaders.central($0, $1, plan.isLarge) }
                + ZipHeaders.end(plan)
        }
        let entry = plan.entries[state.index]
        let checksum = entry.isFolder ? 0 : try Self.checksum(of: entry)
        if !entry.isFolder { state.file = try WebFile(entry.path, size: entry.size) }
        state.checksums.append(checksum)
        state.index += 1
        return ZipHeaders.local(entry, checksum, plan.isLarge)
    }

    private static func checksum(of entry: ZipPlan.Entry) throws(BatonError) -> UInt32 {
        let file = try WebFile(entry.path, size: entry.size)
        var checksum: UInt32 = 0
        while let bytes = try file.next(blockSize) {
            checksum = bytes.withUnsafeBytes { CRC32.update(checksum, $0) }
        }
        return checksum
    }
}
