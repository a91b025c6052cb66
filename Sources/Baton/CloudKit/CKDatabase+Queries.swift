extension CKDatabase {
    /// The results of a query.
    public typealias QueryResults = (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    )

    /// The records that a query finds on this device, and where there are more: a cursor.
    /// - Parameters:
    ///   - zoneID: nil for all zones.
    ///   - desiredKeys: the fields to fetch; nil for all.
    ///   - resultsLimit: the most results; never more than 400.
    /// - Throws: `CKError.invalidArguments` for what CloudKit's queries do not have, `CKError.zoneNotFound`.
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> QueryResults {
        try await results(of: query, in: zoneID, keys: desiredKeys, limit: resultsLimit)
    }

    /// More of a query, as it was found then: a record that is gone since is left out, one that has changed is as it is now.
    /// - Throws: `CKError.invalidArguments` for a cursor of another database.
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> QueryResults {
        try await rest(of: queryCursor, keys: desiredKeys, limit: resultsLimit)
    }

    /// As ``records(matching:inZoneWith:desiredKeys:resultsLimit:)``.
    @preconcurrency
    public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler: @escaping @Sendable (Result<QueryResults, any Error>) -> Void
    ) {
        complete(
            callback, { try await self.results(of: query, in: zoneID, keys: desiredKeys, limit: resultsLimit) },
            result: completionHandler)
    }

    /// As ``records(continuingMatchFrom:desiredKeys:resultsLimit:)``.
    @preconcurrency
    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler: @escaping @Sendable (Result<QueryResults, any Error>) -> Void
    ) {
        complete(
            callback, { try await self.rest(of: queryCursor, keys: desiredKeys, limit: resultsLimit) },
            result: completionHandler)
    }

    /// All records that a query finds; with the error of the first one that cannot be read.
    @preconcurrency
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        complete(
            callback,
            {
                var results = try await self.results(of: query, in: zoneID, keys: nil, limit: Self.maximumItems)
                var records = try results.matchResults.map { try $0.1.get() }
                while let cursor = results.queryCursor {
                    results = try await self.rest(of: cursor, keys: nil, limit: Self.maximumItems)
                    records += try results.matchResults.map { try $0.1.get() }
                }
                return records
            }, handler: completionHandler)
    }

    // MARK: Finding

    func results(
        of query: CKQuery, in zoneID: CKRecordZone.ID?, keys: [String]?, limit: Int
    ) async throws(CKError) -> QueryResults {
        try check()
        let query = try RecordQuery(query)
        let zones: [CKRecordZone.ID]
        if let zoneID { zones = [zoneID] } else { zones = try await server.zones(name, nil).map(\.id) }
        var hits: [RecordQuery.Hit] = []
        for zone in zones {
            do throws(CKError) {
                hits += try await self.hits(of: query, in: zone, after: hits.count)
            } catch  where zoneID == nil && [.zoneNotFound, .userDeletedZone].contains(error.code) {
                // Deleted since the zones were listed.
            }
        }
        return try await page(query.sorted(hits), keys, limit)
    }

    func rest(
        of cursor: CKQueryOperation.Cursor, keys: [String]?, limit: Int
    ) async throws(CKError) -> QueryResults {
        guard cursor.database.isSame(as: name) else {
            throw CKError(.invalidArguments, "The cursor is of another database: use it with the one that gave it.")
        }
        return try await page(cursor.rest, keys, limit)
    }

    private func hits(
        of query: RecordQuery, in zone: CKRecordZone.ID, after count: Int
    ) async throws(CKError) -> [RecordQuery.Hit] {
        var hits: [CKRecord.ID: RecordQuery.Hit] = [:]
        var token: Data?
        var number = count
        while true {
            let page = try await server.search(name, zone, since: token, keys: query.keys)
            for (id, _) in page.deleted { hits[id] = nil }
            // One that has changed meanwhile comes again.
            for record in page.records {
                number += 1
                hits[record.recordID] = query.hit(record, number: number)
            }
            guard page.hasMore else { break }
            token = page.token
        }
        return Array(hits.values)
    }

    private func page(_ ids: [CKRecord.ID], _ keys: [String]?, _ limit: Int) async throws(CKError) -> QueryResults {
        let limit = limit > 0 ? min(limit, Self.maximumItems) : Self.maximumItems
        var rest = ids[...]
        var matches: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
        // Those that are gone since are replaced by the next ones.
        while matches.count < limit, !rest.isEmpty {
            let next = Array(rest.prefix(limit - matches.count))
            rest = rest.dropFirst(next.count)
            let found = try await server.fetch(name, next, keys: keys)
            for id in next {
                guard let result = found[id] else { continue }
                if case .failure(let error) = result, Self.isGone(error) { continue }
                matches.append((id, result.mapError { $0 as any Error }))
            }
        }
        let cursor = rest.isEmpty ? nil : CKQueryOperation.Cursor(database: name, rest: Array(rest))
        return (matches, cursor)
    }

    private static func isGone(_ error: CKError) -> Bool {
        [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code)
    }
}
