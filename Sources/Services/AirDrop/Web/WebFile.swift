import BatonCore
import Foundation
import Synchronization
import Transfers

/// A file that is downloaded.
final class WebFile: WebSource {
    private struct State {
        let handle: FileHandle
        var rest: UInt64
    }

    private let path: String
    private let state: Mutex<State>

    /// - Parameter size: as it was announced.
    init(_ path: String, size: UInt64) throws(BatonError) {
        guard let handle = FileHandle(forReadingAtPath: path), (try? handle.seekToEnd()) == size,
            (try? handle.seek(toOffset: 0)) != nil
        else { throw TransferReader.changed(path) }
        self.path = path
        state = Mutex(State(handle: handle, rest: size))
    }

    func next(_ size: Int) throws(BatonError) -> [UInt8]? {
        let data = state.withLock { state -> Data? in
            guard state.rest > 0 else { return Data() }
            let data = (try? state.handle.read(upToCount: Int(min(UInt64(size), state.rest)))) ?? nil
            state.rest -= UInt64(data?.count ?? 0)
            return data
        }
        guard let data else { throw TransferReader.changed(path) }
        return data.isEmpty ? nil : Array(data)
    }
}
