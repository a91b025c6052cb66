import Foundation
import Synchronization

/// What zones that are being read anew have brought.
///
/// Bound: the names of the zones that are read anew, which their sources will hold besides.
final class HeldNames: Sendable {
    private let names = Mutex<[ZoneName: Set<String>]>([:])

    func begin(_ zone: ZoneName) { names.withLock { $0[zone] = [] } }
    func has(_ zone: ZoneName) -> Bool { names.withLock { $0[zone] != nil } }
    func add(_ more: Set<String>, to zone: ZoneName) { names.withLock { $0[zone, default: []].formUnion(more) } }
    func take(_ zone: ZoneName) -> Set<String>? { names.withLock { $0.removeValue(forKey: zone) } }
    func drop(_ zone: ZoneName) { names.withLock { $0[zone] = nil } }
}
