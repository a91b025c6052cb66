import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Requests of apps that use CloudKit.
extension ReplicaTransaction {
    func referrers(of name: RecordName, kind: Int, in zone: ReplicaZone) throws -> [RecordName] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM reference WHERE zone = ? AND target = ? AND kind = ?"),
            arguments: [zone.id, name.text, kind]
        ).map { try RecordName($0) }
    }

    // MARK: Saving

    /// - Parameters:
    ///   - user: the record name of the account's user.
    ///   - isFull: whether the account has no room for what is new in a zone.
    /// - Throws: `limit_exceeded` for what is too much together; then nothing is changed.
    func modify(
        _ request: Baton_App_V1_ModifyRecordsRequest, user: String, isFull: (RecordZoneName) -> Bool
    ) throws -> Baton_App_V1_ModifyRecordsResponse {
        guard request.save.count + request.delete.count <= RecordLimits.callRecords else {
            throw RecordsError.limit(
                "A call takes \(RecordLimits.callRecords) records at most. Send half of them at a time.")
        }
        var batches: [RecordZoneName: RecordBatch] = [:]
        var problems: [Int: any Error] = [:]
        var deletionProblems: [Int: any Error] = [:]
        func opened(_ id: Baton_App_V1_RecordZoneID) throws -> RecordBatch {
            let name = try RecordsWire.zoneName(id)
            if let batch = batches[name] { return batch }
            let zone = try presentZone(name)
            return RecordBatch(
                zone: zone, policy: request.policy, isAtomic: request.atomic, user: user, isFull: isFull(name))
        }
        var bytes = 0
        for (index, save) in request.save.enumerated() {
            bytes += save.record.fields.reduce(0) { $0 + Self.size(of: $1.value) }
            do {
                var batch = try opened(save.record.id.zone)
                do {
                    batch.saves.append(try self.save(index, save, in: batch.zone.name))
                } catch {
                    batch.refuseSave(index, error)
                }
                batches[batch.zone.name] = batch
            } catch {
                problems[index] = error
            }
        }
        guard bytes <= RecordLimits.callBytes else {
            throw RecordsError.limit("A call takes 2 MiB of values at most. Send half of the records at a time.")
        }
        for (index, id) in request.delete.enumerated() {
            do {
                var batch = try opened(id.zone)
                do {
                    let name = try RecordsWire.recordName(id.recordName)
                    batch.deletions.append(.init(index: index, name: name))
                } catch {
                    batch.refuseDeletion(index, error)
                }
                batches[batch.zone.name] = batch
            } catch {
                deletionProblems[index] = error
            }
        }
        for name in batches.keys.sorted() {
            guard var batch = batches.removeValue(forKey: name) else { continue }
            try batch.perform(in: self)
            problems.merge(batch.saveProblems) { first, _ in first }
            deletionProblems.merge(batch.deletionProblems) { first, _ in first }
        }
        return try .with { response in
            response.saved = try request.save.enumerated().map { index, save in
                try result(save.record.id, problems[index])
            }
            response.deleted = request.delete.enumerated().map { index, id in
                .with {
                    $0.id = id
                    if let problem = deletionProblems[index] { $0.problem = RecordsWire.problem(problem) }
                }
            }
        }
    }

    private func result(
        _ id: Baton_App_V1_RecordIdentifier, _ problem: (any Error)?
    ) throws -> Baton_App_V1_RecordResult {
        var result = Baton_App_V1_RecordResult.with { $0.id = id }
        if let problem { result.problem = RecordsWire.problem(problem) }
        guard problem == nil || (problem as? BatonError)?.reason == "server_record_changed" else { return result }
        if let kept = try find(id) { result.record = try message(kept.record, in: kept.zone) }
        return result
    }

    private func save(
        _ index: Int, _ save: Baton_App_V1_RecordSave, in zone: RecordZoneName
    ) throws -> RecordBatch.Save {
        let record = save.record
        let name = try RecordsWire.recordName(record.id.recordName)
        guard RecordNames.isField(record.recordType) else {
            throw RecordsError.invalid("A record type has 1 to 255 bytes.")
        }
        guard record.fields.count <= RecordLimits.fields else {
            throw RecordsError.limit("A record has at most \(RecordLimits.fields) fields.")
        }
        var values: [RecordField: RecordValue] = [:]
        for field in record.fields {
            guard RecordNames.isField(field.name) else {
                throw RecordsError.invalid("A field's name has 1 to 255 bytes.")
            }
            let value =
                field.hasValue ? try RecordsWire.value(field.value, zone: zone, asset: asset) : .nothing
            let key = field.encrypted ? RecordField.encrypted(field.name) : .value(field.name)
            guard values.updateValue(value, forKey: key) == nil else {
                throw RecordsError.invalid("The field “\(field.name.shortened(toBytes: 80))” is given twice.")
            }
        }
        return RecordBatch.Save(
            index: index, name: name, type: record.recordType, tag: record.changeTag, values: values,
            parent: record.hasParent ? try RecordsWire.recordName(record.parent) : nil,
            hasParentChanged: save.parentChanged || (record.hasParent && record.changeTag.isEmpty))
    }

    /// Bytes on the wire.
    private static func size(of value: Baton_App_V1_RecordValue) -> Int {
        switch value.kind {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        case .list(let list): list.values.reduce(0) { $0 + size(of: $1) }
        case nil: 0
        default: 16
        }
    }

    // MARK: Fetching

    /// One that apps see; nil where there is none.
    /// - Throws: `zone_not_found`, `user_deleted_zone`.
    private func find(_ id: Baton_App_V1_RecordIdentifier) throws -> (record: KeptRecord, zone: RecordZoneName)? {
        let zone = try presentZone(try RecordsWire.zoneName(id.zone))
        guard let kept = try record(try RecordsWire.recordName(id.recordName), in: zone.id), kept.record.isPresent
        else { return nil }
        return (kept, zone.name)
    }

    func fetch(_ request: Baton_App_V1_FetchRecordsRequest) throws -> Baton_App_V1_FetchRecordsResponse {
        guard request.records.count <= RecordLimits.callRecords else {
            throw RecordsError.limit("A call asks for \(RecordLimits.callRecords) records at most.")
        }
        let keys = Self.keys(request.desiredKeys, request.noFields)
        var bytes = 0
        return .with { response in
            for id in request.records {
                var result = Baton_App_V1_RecordResult.with { $0.id = id }
                do {
                    guard let found = try find(id) else { throw RecordsError.unknownItem(id.recordName) }
                    result.record = try message(found.record, in: found.zone, keys: keys)
                } catch {
                    result.problem = RecordsWire.problem(error)
                }
                bytes += (try? result.serializedData().count) ?? 0
                guard response.records.isEmpty || bytes <= RecordsBounds.pageBytes else { return }
                response.records.append(result)
            }
        }
    }

    /// Nil for all.
    private static func keys(_ keys: [String], _ isNone: Bool) -> Set<String>? {
        isNone ? [] : keys.isEmpty ? nil : Set(keys)
    }

    /// The changes in a zone, the oldest first; a change that fits into a page is in one page.
    func changes(_ request: Baton_App_V1_FetchZoneChangesRequest) throws -> Baton_App_V1_FetchZoneChangesResponse {
        let zone = try presentZone(try RecordsWire.zoneName(request.zone))
        let isFirst = request.token.isEmpty
        let token =
            isFirst
            ? ReplicaToken(identity: zone.identity, sequence: 0)
            : try ReplicaToken(request.token, identity: zone.identity, last: last)
        try token.check(removed: isFirst ? 0 : zone.removed)
        let began = isFirst ? last : token.began
        let keys = Self.keys(request.desiredKeys, request.noFields)
        let limit = request.limit == 0 ? RecordLimits.callRecords : min(Int(request.limit), RecordLimits.callRecords)
        // A change that was sent in part is continued.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM record WHERE zone = ? AND (sequence, name) > (?, ?) AND (is_present = 1 OR ? = 0)
                    ORDER BY sequence, name
                """,
            arguments: [
                zone.id, token.first, token.after, isFirst,
            ])
        var told: [(kept: KeptRecord, record: Baton_App_V1_Record)] = []
        var bytes = 0
        var hasMore = false
        while let row = try rows.next() {
            let kept = try KeptRecord(row)
            let record = try message(kept, in: zone.name, keys: keys)
            bytes += try record.serializedData().count
            guard told.isEmpty || (told.count < limit && bytes <= RecordsBounds.pageBytes) else {
                hasMore = true
                // A change that has begun and does not fit is left for the next page, unless it is all there is.
                if kept.sequence == told.last?.kept.sequence, let first = told.first,
                    first.kept.sequence != kept.sequence
                {
                    told.removeAll { $0.kept.sequence == kept.sequence }
                }
                break
            }
            told.append((kept, record))
        }
        let place = told.last.map { last in
            ReplicaToken(
                identity: zone.identity, sequence: last.kept.sequence, after: hasMore ? last.kept.record.name.text : "",
                began: hasMore ? began : nil)
        }
        return .with { response in
            for (kept, record) in told {
                if kept.record.isPresent {
                    response.records.append(record)
                } else {
                    response.deleted.append(
                        .with {
                            $0.id = record.id
                            $0.recordType = kept.record.type
                        })
                }
            }
            response.more = hasMore
            response.token =
                (hasMore ? place ?? token : ReplicaToken(identity: zone.identity, sequence: last)).bytes
        }
    }

    /// Zones that changed.
    func databaseChanges(
        _ request: Baton_App_V1_FetchDatabaseChangesRequest
    ) throws -> Baton_App_V1_FetchDatabaseChangesResponse {
        let isFirst = request.token.isEmpty
        let token =
            isFirst
            ? ReplicaToken(identity: identity, sequence: 0)
            : try ReplicaToken(request.token, identity: identity, last: last)
        let changed = try zones.filter { $0.name != .zones && $0.sequence > token.sequence }
            .sorted { ($0.sequence, $0.name) < ($1.sequence, $1.name) }
        // All zones of one change are sent together.
        var page = changed[...]
        if request.limit > 0, changed.count > Int(request.limit) {
            let bound = changed[Int(request.limit) - 1].sequence
            page = changed.prefix { $0.sequence <= bound }
        }
        let hasMore = page.count < changed.count
        return .with { response in
            for zone in page {
                let id = Baton_App_V1_RecordZoneID.with { $0.zoneName = zone.name.rawValue }
                switch zone.state {
                case .present: response.changed.append(id)
                case .deleted, .purged:
                    guard !isFirst else { continue }
                    response.deleted.append(
                        .with {
                            $0.zone = id
                            $0.reason = zone.state == .purged ? .purged : .unspecified
                        })
                }
            }
            response.more = hasMore
            response.token =
                ReplicaToken(identity: identity, sequence: hasMore ? page.last?.sequence ?? 0 : last).bytes
        }
    }
}
