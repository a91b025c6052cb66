import BatonCore

/// A setting of the configuration file: its name, with its group before it, and what it means.
struct CloudSetting: Sendable {
    let name: String
    let take: @Sendable (ConfigurationValue, inout CloudConfiguration) throws -> Void

    private init(
        _ name: String, _ take: @escaping @Sendable (ConfigurationValue, inout CloudConfiguration) throws -> Void
    ) {
        self.name = name
        self.take = take
    }

    static func named(_ name: String) -> CloudSetting? { all.first { $0.name == name } }

    /// - Parameter group: with its dot; empty for those in none, and the groups themselves.
    static func names(in group: String) -> [String] {
        guard group.isEmpty else { return all.map(\.name).filter { $0.hasPrefix(group) } }
        return all.map(\.name).filter { !$0.contains(".") } + groups.sorted()
    }

    static let groups = Set(all.map(\.name).filter { $0.contains(".") }.map { String($0.prefix { $0 != "." }) })

    private static let hour: UInt64 = 3_600_000
    private static let day: UInt64 = 24 * hour

    static let all = [
        CloudSetting("data") { $1.data = try $0.path() },
        CloudSetting("listen") { $1.listen = try $0.text() },
        CloudSetting("authorities") { $1.authorities = try $0.texts() },
        CloudSetting("certificate") { $1.certificate = try $0.path() },
        CloudSetting("key") { $1.key = try $0.path() },
        CloudSetting("plain-http") { $1.isPlain = try $0.flag() },
        CloudSetting("registration") { $1.registration = try $0.choice(CloudAccounts.Registration.self) },
        CloudSetting("log-level") { $1.logLevel = try $0.choice(LogLevel.self) },
        CloudSetting("log-format") { $1.logFormat = try $0.choice(LogFormat.self) },
        CloudSetting("public-index") { $1.hasPublicIndex = try $0.flag() },
        CloudSetting("metrics") { $1.metrics = try $0.choice(MetricsAudience.self) },

        CloudSetting("storage.postgres") { $1.databases = try $0.someTexts() },
        CloudSetting("storage.s3") { $1.objects = try $0.text() },

        CloudSetting("quotas.account") { $1.rules.quota = try $0.bytes(0...1 << 50, plain: 1 << 20) },

        // Devices take answers of 8 MiB; what surrounds the contents of one has its room there, too.
        CloudSetting("limits.item") { $1.limits.itemBytes = try $0.bytes(64 << 10...6 << 20) },
        CloudSetting("limits.batch") { $1.limits.batchBytes = try $0.bytes(1 << 20...6 << 20) },
        CloudSetting("limits.page") { $1.limits.pageBytes = try $0.bytes(1 << 20...6 << 20) },
        CloudSetting("limits.items-per-batch") { $1.limits.itemsPerBatch = try $0.number(1...2000) },
        CloudSetting("limits.items-per-page") { $1.limits.itemsPerPage = try $0.number(1...2000) },
        CloudSetting("limits.blob") { $1.limits.blobBytes = try $0.bytes(UInt64(1 << 20)...64 << 20) },
        CloudSetting("limits.blobs-per-item") { $1.limits.blobsPerItem = try $0.number(1...100_000) },
        CloudSetting("limits.zones-per-account") { $1.limits.zonesPerAccount = try $0.number(1...1_000_000) },
        CloudSetting("limits.subscriptions-per-device") { $1.limits.subscriptionsPerDevice = try $0.number(1...1000) },
        CloudSetting("limits.calls-per-second") { $1.callsPerSecond = try $0.number(1...1_000_000) },
        CloudSetting("limits.connections") { $1.connections = try $0.number(1...1_000_000) },
        CloudSetting("limits.connections-per-address") { $1.connectionsPerAddress = try $0.number(1...1_000_000) },

        CloudSetting("retention.deletions") { $1.rules.retention = try $0.time(day...3650 * day) },
        // A day is what the contract promises.
        CloudSetting("retention.answers") { $1.rules.repetition = try $0.time(day...365 * day) },
        CloudSetting("retention.unused-blobs") { $1.rules.grace = try $0.time(hour...3650 * day) },
    ]
}
