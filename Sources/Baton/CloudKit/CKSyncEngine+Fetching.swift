extension CKSyncEngine {
    /// Runs while nothing else of the engine does.
    func fetch(_ context: FetchChangesContext) async throws(CKError) {
        let began = cancellations
        try database.check()
        try await checkAccount()
        await emit(.willFetchChanges(Event.WillFetchChanges(context: context)))
        var failure: CKError?
        do throws(CKError) {
            try await fetchZoneList(began)
            for zone in zonesToFetch(context.options) {
                do throws(CKError) {
                    try await fetch(zone, began)
                } catch {
                    failure = failure ?? error
                    if error.code == .operationCancelled { break }
                }
            }
            if failure == nil { try await fetchIncomplete(context.options.scope, began) }
        } catch {
            failure = failure ?? error
        }
        await emit(.didFetchChanges(Event.DidFetchChanges(context: context)))
        if let failure { throw failure }
    }

    private func zonesToFetch(_ options: FetchChangesOptions) -> [CKRecordZone.ID] {
        let zones = state.read(\.unfetched).filter { options.scope.contains($0) }
        let first = options.prioritizedZoneIDs.filter { zones.contains($0) }
        return first + zones.filter { !first.contains($0) }
    }

    private func fetchZoneList(_ began: UInt64) async throws(CKError) {
        var isFromStart = false
        while true {
            try checkCancellation(began)
            let token = state.read(\.databaseToken)
            let page: ZoneListChanges
            do throws(CKError) {
                page = try await database.server.databaseChanges(database.name, since: token, limit: nil)
            } catch {
                guard error.code == .changeTokenExpired, !isFromStart, token != nil else { throw error }
                isFromStart = true
                state.change { $0.databaseToken = nil }
                continue
            }
            if !page.changed.isEmpty || !page.deleted.isEmpty {
                await emit(
                    .fetchedDatabaseChanges(
                        Event.FetchedDatabaseChanges(
                            modifications: page.changed.map { .init(zoneID: $0) },
                            deletions: page.deleted.map {
                                .init(zoneID: $0.id, reason: $0.isPurged ? .purged : .deleted)
                            })))
            }
            state.change { $0.fetched(page) }
            await tellState()
            guard page.hasMore, page.token != token else { return }
        }
    }

    private func fetch(_ zone: CKRecordZone.ID, _ began: UInt64) async throws(CKError) {
        await emit(.willFetchRecordZoneChanges(Event.WillFetchRecordZoneChanges(zoneID: zone)))
        var failure: CKError?
        do throws(CKError) {
            try await fetchPages(zone, began)
        } catch {
            failure = error
            if error.code == .zoneNotFound || error.code == .userDeletedZone { state.change { $0.forget(zone) } }
        }
        await emit(.didFetchRecordZoneChanges(Event.DidFetchRecordZoneChanges(zoneID: zone, error: failure)))
        if let failure { throw failure }
    }

    private func fetchPages(_ zone: CKRecordZone.ID, _ began: UInt64) async throws(CKError) {
        var isFromStart = false
        while true {
            try checkCancellation(began)
            let token = state.read { $0.zoneTokens[zone] }
            let page: ZoneChanges
            do throws(CKError) {
                page = try await database.server.zoneChanges(
                    database.name, zone, since: token, keys: nil, limit: nil)
            } catch {
                guard error.code == .changeTokenExpired, !isFromStart, token != nil else { throw error }
                isFromStart = true
                state.change { $0.zoneTokens[zone] = nil }
                continue
            }
            await tell(page, zone)
            state.change { $0.fetched(page, of: zone) }
            await tellState()
            guard page.hasMore, page.token != token else { return }
        }
    }

    private func tell(_ page: ZoneChanges, _ zone: CKRecordZone.ID) async {
        var news = withEchoes { $0.filter(page) }
        news.deleted += state.read { $0.missing(after: page, of: zone) }
        let records = news.records.filter { !page.incomplete.contains($0.recordID) }
        guard !records.isEmpty || !news.deleted.isEmpty else { return }
        await emit(
            .fetchedRecordZoneChanges(
                Event.FetchedRecordZoneChanges(
                    modifications: records.map { .init(record: $0) },
                    deletions: news.deleted.map { .init(recordID: $0.id, recordType: $0.type) })))
    }

    /// Records of which an asset was missing: those that are whole now become events.
    private func fetchIncomplete(_ scope: FetchChangesOptions.Scope, _ began: UInt64) async throws(CKError) {
        let ids = state.read(\.incomplete).filter { scope.contains($0.zoneID) }.prefix(CKDatabase.maximumItems)
        guard !ids.isEmpty else { return }
        try checkCancellation(began)
        let results = try await database.server.fetch(database.name, Array(ids), keys: nil)
        var records: [CKRecord] = []
        var done: Set<CKRecord.ID> = []
        for (id, result) in results {
            switch result {
            case .success(let record):
                records.append(record)
                done.insert(id)
            case .failure(let error):
                // Records that are gone come as deletions.
                if error.code != .assetNotAvailable, !error.isRetriedByEngine { done.insert(id) }
            }
        }
        if !records.isEmpty {
            await emit(
                .fetchedRecordZoneChanges(
                    Event.FetchedRecordZoneChanges(modifications: records.map { .init(record: $0) }, deletions: [])))
        }
        state.change { $0.incomplete.removeAll { done.contains($0) } }
        await tellState()
    }
}
