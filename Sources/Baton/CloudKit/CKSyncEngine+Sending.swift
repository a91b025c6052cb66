extension CKSyncEngine {
    /// Runs while nothing else of the engine does.
    func send(_ context: SendChangesContext) async throws(CKError) {
        let began = cancellations
        try database.check()
        let refusal = try await lastingRefusal()
        // By itself the engine says so once.
        let isNew = isNew(refusal)
        if let refusal, !isNew, context.reason == .scheduled { throw refusal }
        await emit(.willSendChanges(Event.WillSendChanges(context: context)))
        var errors: [AnyHashable: any Error] = [:]
        var failure: CKError?
        do throws(CKError) {
            var goesOn = true
            while goesOn {
                try await sendZones(context, began, refusal, &errors)
                goesOn = try await sendBatch(context, began, refusal, &errors)
            }
        } catch {
            failure = error
        }
        await emit(.didSendChanges(Event.DidSendChanges(context: context)))
        if let failure = failure ?? refusal { throw failure }
        if !errors.isEmpty { throw CKError.partial(errors) }
    }

    /// Why nothing can be sent at all, for longer; nil where it can.
    private func lastingRefusal() async throws(CKError) -> CKError? {
        do throws(CKError) {
            try await checkAccount()
            return nil
        } catch {
            guard error.isLasting else { throw error }
            return error
        }
    }

    // MARK: Zones

    private func sendZones(
        _ context: SendChangesContext, _ began: UInt64, _ refusal: CKError?, _ errors: inout [AnyHashable: any Error]
    ) async throws(CKError) {
        while true {
            try checkCancellation(began)
            let failed = Set(errors.keys)
            let changes = state.read(\.zoneChanges)
                .filter { context.options.scope.contains($0) && !failed.contains($0.zoneID) }
                .prefix(CKDatabase.maximumItems)
            guard !changes.isEmpty else { return }
            var saving: [CKRecordZone] = []
            var deleting: [CKRecordZone.ID] = []
            for change in changes {
                switch change {
                case .saveZone(let zone): saving.append(zone)
                case .deleteZone(let id): deleting.append(id)
                }
            }
            if let refusal {
                let all = { (ids: [CKRecordZone.ID]) in Dictionary(ids.map { ($0, CKError?.some(refusal)) }) { $1 } }
                await tell((all(saving.map(\.zoneID)), all(deleting)), saving, deleting, isKept: true, &errors)
                continue
            }
            let outcomes = try await database.server.modifyZones(
                database.name, saving: saving.map(\.zoneID), deleting: deleting)
            await tell(outcomes, saving, deleting, &errors)
        }
    }

    private func tell(
        _ outcomes: (saved: [CKRecordZone.ID: CKError?], deleted: [CKRecordZone.ID: CKError?]),
        _ saving: [CKRecordZone],
        _ deleting: [CKRecordZone.ID], isKept: Bool = false, _ errors: inout [AnyHashable: any Error]
    ) async {
        let isDone = { (error: CKError?) in !isKept && error?.isRetriedByEngine != true }
        var done: [PendingDatabaseChange] = []
        var saved: [CKRecordZone] = []
        var failedSaves: [Event.SentDatabaseChanges.FailedZoneSave] = []
        for zone in saving {
            let error = outcomes.saved[zone.zoneID] ?? nil
            if let error {
                errors[zone.zoneID] = error
                failedSaves.append(.init(zone: zone, error: error))
            } else {
                saved.append(CKDatabase.zone(zone.zoneID))
            }
            if isDone(error) { done.append(.saveZone(zone)) }
        }
        var deleted: [CKRecordZone.ID] = []
        var failedDeletes: [CKRecordZone.ID: CKError] = [:]
        for id in deleting {
            let error = outcomes.deleted[id] ?? nil
            if let error {
                errors[id] = error
                failedDeletes[id] = error
            } else {
                deleted.append(id)
            }
            if isDone(error) { done.append(.deleteZone(id)) }
        }
        state.change { values in
            values.remove(done)
            for id in deleted { values.forget(id) }
        }
        await emit(
            .sentDatabaseChanges(
                Event.SentDatabaseChanges(
                    savedZones: saved, failedZoneSaves: failedSaves, deletedZoneIDs: deleted,
                    failedZoneDeletes: failedDeletes)))
        await tellState()
    }

    // MARK: Records

    /// - Returns: whether there may be more.
    private func sendBatch(
        _ context: SendChangesContext, _ began: UInt64, _ refusal: CKError?, _ errors: inout [AnyHashable: any Error]
    ) async throws(CKError) -> Bool {
        try checkCancellation(began)
        guard var batch = await nextBatch(context) else {
            // Changes that the app added while it was asked for a batch.
            let failed = Set(errors.keys)
            return state.read(\.zoneChanges).contains {
                context.options.scope.contains($0) && !failed.contains($0.zoneID)
            }
        }
        // Changes that failed and were added again are sent by the next call: this one would not end otherwise.
        batch.recordsToSave.removeAll { errors[$0.recordID] != nil }
        batch.recordIDsToDelete.removeAll { errors[$0] != nil }
        guard !batch.recordsToSave.isEmpty || !batch.recordIDsToDelete.isEmpty else { return false }
        if let refusal {
            await tell(batch.failing(refusal), batch, isKept: true, &errors)
            return true
        }
        var rest = [batch]
        while let part = rest.popLast() {
            try checkCancellation(began)
            guard part.count <= CKDatabase.maximumItems else {
                rest += part.halves
                continue
            }
            state.change { $0.sends(part.changes) }
            do throws(CKError) {
                let outcomes = try await database.server.modify(
                    database.name,
                    RecordChanges(
                        saving: part.recordsToSave, deleting: part.recordIDsToDelete, policy: .ifServerRecordUnchanged,
                        isAtomic: part.atomicByZone))
                await tell(outcomes, part, &errors)
            } catch {
                if error.code == .limitExceeded, part.count > 1 {
                    rest += part.halves
                    continue
                }
                // As for each of its records.
                await tell(part.failing(error), part, &errors)
                if error.isRetriedByEngine { throw error }
            }
        }
        return true
    }

    private func tell(
        _ outcomes: RecordOutcomes, _ batch: RecordZoneChangeBatch, isKept: Bool = false,
        _ errors: inout [AnyHashable: any Error]
    ) async {
        var saved: [CKRecord] = []
        var failed: [Event.SentRecordZoneChanges.FailedRecordSave] = []
        for record in batch.recordsToSave {
            switch outcomes.saved[record.recordID] ?? .failure(CKDatabase.missing(record.recordID)) {
            case .success(let new): saved.append(new)
            case .failure(let error):
                errors[record.recordID] = error
                failed.append(.init(record: record, error: error))
            }
        }
        var deleted: [CKRecord.ID] = []
        var failedDeletes: [CKRecord.ID: CKError] = [:]
        for id in batch.recordIDsToDelete {
            if let error = outcomes.deleted[id] ?? nil {
                errors[id] = error
                failedDeletes[id] = error
            } else {
                deleted.append(id)
            }
        }
        if !isKept {
            state.change { $0.sent(outcomes) }
            withEchoes { $0.sent(outcomes) }
        }
        await emit(
            .sentRecordZoneChanges(
                Event.SentRecordZoneChanges(
                    savedRecords: saved, failedRecordSaves: failed, deletedRecordIDs: deleted,
                    failedRecordDeletes: failedDeletes)))
        await tellState()
    }
}

extension CKSyncEngine.RecordZoneChangeBatch {
    fileprivate var changes: [CKSyncEngine.PendingRecordZoneChange] {
        recordsToSave.map { .saveRecord($0.recordID) } + recordIDsToDelete.map { .deleteRecord($0) }
    }

    fileprivate var count: Int { recordsToSave.count + recordIDsToDelete.count }

    /// In reverse: the last is sent first.
    fileprivate var halves: [Self] {
        let middle = count / 2
        let saves = min(middle, recordsToSave.count)
        let deletes = middle - saves
        return [
            Self(
                recordsToSave: Array(recordsToSave[saves...]), recordIDsToDelete: Array(recordIDsToDelete[deletes...]),
                atomicByZone: atomicByZone),
            Self(
                recordsToSave: Array(recordsToSave[..<saves]), recordIDsToDelete: Array(recordIDsToDelete[..<deletes]),
                atomicByZone: atomicByZone),
        ]
    }

    fileprivate func failing(_ error: CKError) -> RecordOutcomes {
        var outcomes = RecordOutcomes()
        for record in recordsToSave { outcomes.saved[record.recordID] = .failure(error) }
        for id in recordIDsToDelete { outcomes.deleted.updateValue(error, forKey: id) }
        return outcomes
    }
}
