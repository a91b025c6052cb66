import BatonWire
import FileSync
import RecordMerge

/// Which device wrote what.
extension ReplicaTransaction {
    /// A record for apps, with the name of the device that changed it last.
    func message(
        _ kept: KeptRecord, in zone: RecordZoneName, keys: Set<String>? = nil
    ) throws -> Baton_App_V1_Record {
        var message = RecordsWire.message(kept, in: zone, keys: keys)
        if let device = try kept.record.fields.values.map(\.stamp).max().flatMap({ try device(of: $0.actor) }) {
            message.modifiedByDevice = deviceName(device) ?? ""
        }
        return message
    }
}
