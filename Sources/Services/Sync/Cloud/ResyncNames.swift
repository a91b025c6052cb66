import Foundation
import Synchronization

/// The names of items received by zones that are being read again from their start.
///
/// Bound: the names in those zones, which their sources hold as well.
final class ResyncNames: Sendable {
    private let names = Mutex<[ZoneName: Set<String>]>([:])

    func begin(_ zone: ZoneName) { names.withLock { $0[zone] = [] } }
    func has(_ zone: ZoneName) -> Bool { names.withLock { $0[zone] != nil } }
    func add(_ more: Set<String>, to zone: ZoneName) { names.withLock { $0[zone, default: []].formUnion(more) } }
    func take(_ zone: ZoneName) -> Set<String>? { names.withLock { $0.removeValue(forKey: zone) } }
    func drop(_ zone: ZoneName) { names.withLock { $0[zone] = nil } }
}
