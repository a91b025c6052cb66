import BatonCore

/// The accounts of a cloud over PostgreSQL, for a command beside its nodes.
enum SharedAccounts {
    static func with(
        _ configuration: CloudConfiguration, _ body: (ShardedItemStore) async throws -> Void
    ) async throws {
        var stores: [PostgreSQLItemStore] = []
        defer { for store in stores { store.close() } }
        for (index, location) in configuration.databases.enumerated() {
            let place = configuration.databases.count > 1 ? index + 1 : nil
            let store = try PostgreSQLStart.explaining(blocking: location, place: place) {
                () throws(BatonError) -> PostgreSQLItemStore in
                try PostgreSQLItemStore(
                    location: location, place: place, rules: configuration.rules, observer: { _, _ in }, news: { _ in })
            }
            stores.append(store)
        }
        try await body(ShardedItemStore(stores))
    }
}
