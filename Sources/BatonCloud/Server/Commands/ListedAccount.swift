import BatonCore

/// An account as an operator sees it: its identifier, and how much it keeps.
struct ListedAccount: Sendable {
    let id: String
    let items: Int64
    let itemBytes: Int64
    let blobs: Int64
    let blobBytes: Int64
    let zones: Int64
    /// Bytes that this account may keep, 0 for no bound; nil: what every account may.
    let ownQuota: UInt64?

    /// Without answers that are remembered and what is being removed.
    var bytes: Int64 { itemBytes + blobBytes }

    /// 0 for no bound.
    func quota(_ rules: StoreRules) -> UInt64 { ownQuota ?? rules.quota }
}

/// The accounts in whatever storage the settings name. Blocks.
enum AccountList {
    static func all(_ configuration: CloudConfiguration) throws(BatonError) -> [ListedAccount] {
        guard !configuration.databases.isEmpty else {
            return try CloudDatabase.accounts(
                path: try CloudFolder.database(in: try SettingsOptions.folder(configuration.data)))
        }
        var accounts: [ListedAccount] = []
        for (index, location) in configuration.databases.enumerated() {
            let place = configuration.databases.count > 1 ? index + 1 : nil
            accounts += try PostgreSQLStart.explaining(blocking: location, place: place) {
                () throws(BatonError) -> [ListedAccount] in try PostgreSQLVerification.accounts(location: location)
            }
        }
        return accounts.sorted { $0.id < $1.id }
    }

    /// The account that an operator names: by its identifier, or the beginning of one.
    /// - Throws: `not_found`; `invalid_argument` where it is more than one.
    static func find(_ text: String, in accounts: [ListedAccount]) throws(BatonError) -> ListedAccount {
        let wanted = text.uppercased()
        if let account = accounts.first(where: { $0.id == wanted }) { return account }
        let found = accounts.filter { wanted.count >= 4 && $0.id.hasPrefix(wanted) }
        guard let account = found.first else {
            throw BatonError(
                .notFound, reason: "unknown_account",
                "There is no account “\(text.shortened(toBytes: 80))” here. “baton-cloud accounts” lists them; “baton account "
                    + "show” on a device says its account's identifier.")
        }
        guard found.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: SettingsOptions.usageReason,
                "“\(text.shortened(toBytes: 80))” is more than one account. Name one in full.")
        }
        return account
    }
}
