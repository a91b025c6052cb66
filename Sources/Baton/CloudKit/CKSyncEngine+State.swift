import Synchronization

extension CKSyncEngine {
    /// A change of a record that is to be sent. CloudKit's.
    public enum PendingRecordZoneChange: Hashable, Sendable {
        /// The record with this name is saved: the delegate is asked for it.
        case saveRecord(CKRecord.ID)
        /// The record with this name is deleted.
        case deleteRecord(CKRecord.ID)
    }

    /// A change of a zone that is to be sent. CloudKit's.
    public enum PendingDatabaseChange: Hashable, Sendable {
        /// The zone is made.
        case saveZone(CKRecordZone)
        /// The zone is deleted, with its records.
        case deleteZone(CKRecordZone.ID)
    }

    /// The pending changes and the progress of fetching. CloudKit's. Safe to use from any thread.
    public final class State: Sendable {
        /// A state that an app keeps, and gives to the next engine: store it at each `stateUpdate`.
        public struct Serialization: Codable, Sendable {
            let values: SyncEngineValues

            init(_ values: SyncEngineValues) { self.values = values }

            /// Reads what ``encode(to:)`` wrote.
            public init(from decoder: any Decoder) throws { values = try SyncEngineValues(from: decoder) }
            /// Writes it in any format.
            public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
        }

        private let values: Mutex<(values: SyncEngineValues, told: SyncEngineValues)>
        private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ values: SyncEngineValues) { self.values = Mutex((values, values)) }

        func whenChanged(_ body: @escaping @Sendable () -> Void) { onChange.withLock { $0 = body } }

        func read<Output: Sendable>(_ body: (SyncEngineValues) -> Output) -> Output {
            values.withLock { body($0.values) }
        }

        @discardableResult
        func change<Output: Sendable>(_ body: (inout SyncEngineValues) -> Output) -> Output {
            values.withLock { body(&$0.values) }
        }

        /// Events that the app has not received yet; nil if it knows everything.
        func takeNews() -> SyncEngineValues? {
            values.withLock { state in
                guard state.values != state.told else { return nil }
                state.told = state.values
                return state.values
            }
        }

        private func changeByApp(_ body: (inout SyncEngineValues) -> Void) {
            change(body)
            onChange.withLock { $0 }?()
        }

        /// The changes of records that are to be sent, in their order.
        public var pendingRecordZoneChanges: [PendingRecordZoneChange] { read(\.changes) }
        /// The changes of zones that are to be sent, in their order.
        public var pendingDatabaseChanges: [PendingDatabaseChange] { read(\.zoneChanges) }

        /// Whether the app has changes that are in no list: the delegate is asked for a batch then, too.
        public var hasPendingUntrackedChanges: Bool {
            get { read(\.hasUntracked) }
            set { changeByApp { $0.hasUntracked = newValue } }
        }

        /// Zones that have changed elsewhere and were not fetched since.
        public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] { read(\.unfetched) }

        /// Adds changes. A record has one: saving one that was to be deleted takes the deletion's place.
        public func add(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
            changeByApp { $0.add(pendingRecordZoneChanges) }
        }

        /// Removes changes: they are not sent.
        public func remove(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
            changeByApp { $0.remove(pendingRecordZoneChanges) }
        }

        /// Adds changes. A zone has one: the last.
        public func add(pendingDatabaseChanges: [PendingDatabaseChange]) {
            changeByApp { $0.add(pendingDatabaseChanges) }
        }

        /// Removes changes: they are not sent.
        public func remove(pendingDatabaseChanges: [PendingDatabaseChange]) {
            changeByApp { $0.remove(pendingDatabaseChanges) }
        }
    }
}
