import Foundation

/// A record as an archive: one property list, so that what comes from elsewhere is judged in one place.
struct RecordArchive {
    private static let key = "CKRecord"
    /// The most bytes of an archive that is read.
    private static let limit = 16 << 20

    private struct Name: Codable {
        var record: String
        var zone: String
        var owner: String

        init(_ id: CKRecord.ID) {
            (record, zone, owner) = (id.recordName, id.zoneID.zoneName, id.zoneID.ownerName)
        }

        var id: CKRecord.ID? {
            guard [record, zone, owner].allSatisfy({ RecordNames.problem(of: $0) == nil }) else { return nil }
            return CKRecord.ID(fetched: record, zoneID: CKRecordZone.ID(fetched: zone, ownerName: owner))
        }
    }

    private struct Asset: Codable {
        var path: String?
        var identity: Data?
        var container: String?
    }

    /// One of them is set.
    private struct Value: Codable {
        var string: String?
        var data: Data?
        var date: Double?
        var integer: Int64?
        var real: Double?
        var location: [Double]?
        var reference: Name?
        var deletesSelf: Bool?
        var asset: Asset?
        var list: [Value]?
    }

    private struct Content: Codable {
        var plain: [String: Value]
        var encrypted: [String: Value]
    }

    private struct Archive: Codable {
        var type: String
        var name: Name
        var tag: String?
        var created: Double?
        var creator: Name?
        var modified: Double?
        var modifier: Name?
        var device: String?
        var parent: Name?
        var parentChanged: Bool?
        var content: Content?
        var changed: [String]?
        var encryptedChanged: [String]?
    }

    private let state: RecordState

    init(_ state: RecordState) { self.state = state }

    func encode(with coder: NSCoder, withValues: Bool) {
        let system = state.system
        var archive = Archive(type: system.recordType, name: Name(system.recordID))
        archive.tag = system.changeTag
        archive.created = system.created?.timeIntervalSinceReferenceDate
        archive.creator = system.creator.map(Name.init)
        archive.modified = system.modified?.timeIntervalSinceReferenceDate
        archive.modifier = system.modifier.map(Name.init)
        archive.device = system.device
        archive.parent = state.content.parent.map { Name($0.recordID) }
        archive.parentChanged = state.isParentChanged
        if withValues {
            archive.content = Content(
                plain: state.content[false].values.mapValues(Self.archived),
                encrypted: state.content[true].values.mapValues(Self.archived))
            archive.changed = state.changed[false].sorted()
            archive.encryptedChanged = state.changed[true].sorted()
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let data = try? encoder.encode(archive) else { return }
        coder.encode(NSData(data: data), forKey: Self.key)
    }

    static func decode(_ coder: NSCoder) -> RecordState? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key), data.length <= limit,
            let archive = try? PropertyListDecoder().decode(Archive.self, from: Data(referencing: data)),
            RecordNames.problem(of: archive.type) == nil, let id = archive.name.id
        else { return nil }
        var state = RecordState(recordType: archive.type, recordID: id)
        state.system.changeTag = archive.tag
        state.system.created = archive.created.map { Date(timeIntervalSinceReferenceDate: $0) }
        state.system.creator = archive.creator?.id
        state.system.modified = archive.modified.map { Date(timeIntervalSinceReferenceDate: $0) }
        state.system.modifier = archive.modifier?.id
        state.system.device = archive.device
        state.content.parent = archive.parent?.id.map { CKRecord.Reference(recordID: $0, action: .none) }
        state.isParentChanged = archive.parentChanged ?? false
        if let content = archive.content {
            for (isEncrypted, values) in [(false, content.plain), (true, content.encrypted)] {
                for (key, value) in values {
                    guard let value = Self.value(value, inList: false) else { return nil }
                    state.content[isEncrypted].values[key] = value
                }
            }
            state.changed[false] = Set(archive.changed ?? [])
            state.changed[true] = Set(archive.encryptedChanged ?? [])
        }
        return state
    }

    private static func archived(_ value: RecordValue) -> Value {
        var archived = Value()
        switch value {
        case .string(let value): archived.string = value
        case .data(let value): archived.data = value
        case .date(let value): archived.date = value.timeIntervalSinceReferenceDate
        case .integer(let value): archived.integer = value
        case .real(let value): archived.real = value
        case .location(let value):
            archived.location = [
                value.coordinate.latitude, value.coordinate.longitude, value.altitude, value.horizontalAccuracy,
                value.verticalAccuracy, value.course, value.speed, value.timestamp.timeIntervalSinceReferenceDate,
            ]
        case .reference(let value):
            archived.reference = Name(value.recordID)
            archived.deletesSelf = value.action == .deleteSelf
        case .asset(let value):
            archived.asset = Asset(
                path: value.fileURL?.path, identity: value.stored?.identity, container: value.stored?.container)
        case .list(let values): archived.list = values.map(self.archived)
        }
        return archived
    }

    private static func value(_ archived: Value, inList: Bool) -> RecordValue? {
        if let value = archived.string { return .string(value) }
        if let value = archived.data { return .data(value) }
        if let value = archived.date { return .date(Date(timeIntervalSinceReferenceDate: value)) }
        if let value = archived.integer { return .integer(value) }
        if let value = archived.real { return .real(value) }
        if let numbers = archived.location, numbers.count == 8 {
            return .location(
                CLLocation(
                    coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]),
                    altitude: numbers[2], horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4],
                    course: numbers[5], speed: numbers[6],
                    timestamp: Date(timeIntervalSinceReferenceDate: numbers[7])))
        }
        if let id = archived.reference?.id {
            return .reference(
                CKRecord.Reference(recordID: id, action: archived.deletesSelf == true ? .deleteSelf : .none))
        }
        if let asset = archived.asset {
            let url = asset.path.map { URL(fileURLWithPath: $0) }
            if let identity = asset.identity {
                let stored = StoredAsset(identity: identity, container: asset.container ?? "")
                return .asset(CKAsset(fileURL: url, stored: stored))
            }
            return url.map { .asset(CKAsset(fileURL: $0)) }
        }
        guard !inList, let list = archived.list else { return nil }
        let values = list.compactMap { value($0, inList: true) }
        return values.count == list.count ? .list(values) : nil
    }
}
