extension CKDatabase {
    /// Saves a zone. One that is there stays as it is.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        guard let result = try await modifiedZones(saving: [zone.zoneID], deleting: []).saved[zone.zoneID] else {
            throw Self.missing(zone.zoneID)
        }
        if let result { throw result }
        return Self.zone(zone.zoneID)
    }

    /// Deletes a zone with all of its records. One that is not there is no error.
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        if let error = try await modifiedZones(saving: [], deleting: [zoneID]).deleted[zoneID] ?? nil { throw error }
        return zoneID
    }

    /// One zone.
    /// - Throws: `CKError.zoneNotFound` if it is not there.
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        guard let result = try await fetchedZones([zoneID])[zoneID] else { throw Self.missing(zoneID) }
        return try result.get()
    }

    /// Several zones, each with its own error.
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await fetchedZones(ids).mapValues { $0.mapError { $0 as any Error } }
    }

    /// All zones, with the default one.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await fetchedZones(nil).values.compactMap { try? $0.get() }.sorted {
            $0.zoneID.zoneName < $1.zoneID.zoneName
        }
    }

    /// Saves and deletes zones, each with its own error.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        let outcomes = try await modifiedZones(
            saving: recordZonesToSave.map(\.zoneID), deleting: recordZoneIDsToDelete)
        var saved: [CKRecordZone.ID: Result<CKRecordZone, any Error>] = [:]
        for (id, error) in outcomes.saved { saved[id] = error.map { .failure($0) } ?? .success(Self.zone(id)) }
        return (saved, outcomes.deleted.mapValues { error in error.map { .failure($0) } ?? .success(()) })
    }

    func modifiedZones(
        saving: [CKRecordZone.ID], deleting: [CKRecordZone.ID]
    ) async throws(CKError) -> (saved: [CKRecordZone.ID: CKError?], deleted: [CKRecordZone.ID: CKError?]) {
        try check()
        try Self.checkCount(saving.count + deleting.count)
        guard !saving.isEmpty || !deleting.isEmpty else { return ([:], [:]) }
        return try await server.modifyZones(name, saving: saving, deleting: deleting)
    }

    func fetchedZones(
        _ ids: [CKRecordZone.ID]?
    ) async throws(CKError) -> [CKRecordZone.ID: Result<CKRecordZone, CKError>] {
        try check()
        if let ids {
            try Self.checkCount(ids.count)
            if ids.isEmpty { return [:] }
        }
        var zones: [CKRecordZone.ID: Result<CKRecordZone, CKError>] = [:]
        for (id, error) in try await server.zones(name, ids) {
            zones[id] = error.map { .failure($0) } ?? .success(Self.zone(id))
        }
        return zones
    }

    static func zone(_ id: CKRecordZone.ID) -> CKRecordZone {
        CKRecordZone(zoneID: id, capabilities: [.fetchChanges, .atomic])
    }

    static func missing(_ id: CKRecordZone.ID) -> CKError {
        CKError(.zoneNotFound, "There is no zone “\(id.zoneName)”: save it first.")
    }
}
