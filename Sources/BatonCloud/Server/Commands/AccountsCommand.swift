import ArgumentParser
import BatonCore
import Foundation
import Glibc

/// `baton-cloud accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the accounts and how much each stores, set a limit, or delete one.",
        discussion: """
            An account is known by its identifier only, which “baton account show” says on its devices.

              baton-cloud accounts
              baton-cloud accounts usage QK3T7A
              baton-cloud accounts quota QK3T7A "50 GiB"
            """,
        subcommands: [
            AccountsListCommand.self, AccountsUsageCommand.self, AccountsQuotaCommand.self, AccountsDeleteCommand.self,
        ],
        defaultSubcommand: AccountsListCommand.self)
}

/// `baton-cloud accounts list`
struct AccountsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts. The server may be running.")

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try await explaining {
            let configuration = try settings.configuration()
            let accounts = try AccountList.all(configuration)
            guard !accounts.isEmpty else { return say("There is no account.") }
            for account in accounts {
                let quota = account.quota(configuration.rules)
                let isOver = quota > 0 && UInt64(clamping: account.bytes) >= quota
                say(
                    "\(account.id)  \(ByteSize.text(account.bytes))\(quota > 0 ? " of \(ByteSize.text(quota))" : "")"
                        + (account.ownQuota == nil ? "" : ", a quota of its own") + (isOver ? ", full" : ""))
            }
            let total = accounts.reduce(Int64(0)) { $0 &+ $1.bytes }
            say("\(amount(accounts.count, "account")), \(ByteSize.text(total))")
        }
    }
}

/// `baton-cloud accounts usage`
struct AccountsUsageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Show how much an account stores, and its limit. The server may be running.")

    @Argument(help: "The account's identifier, or the beginning of it.")
    var account: String

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try await explaining {
            let configuration = try settings.configuration()
            let account = try AccountList.find(account, in: try AccountList.all(configuration))
            let quota = account.quota(configuration.rules)
            let own = account.ownQuota == nil ? "" : " (a quota of its own)"
            say("Account  \(account.id)")
            say(
                "Used     \(ByteSize.text(account.bytes))\(quota > 0 ? " of \(ByteSize.text(quota))" : ", no limit")\(own)"
            )
            say(
                "Items    \(account.items) in \(amount(Int(account.zones), "zone")), \(ByteSize.text(account.itemBytes))"
            )
            say("Blobs    \(account.blobs), \(ByteSize.text(account.blobBytes))")
        }
    }
}

/// `baton-cloud accounts delete`
struct AccountsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account with all of its data.",
        discussion: """
            Its devices keep their data, and get the answer that the cloud does not know the account. With SQLite no server may \
            run; with PostgreSQL nodes may, and end the account's connections at once. The room is given back in the background.
            """)

    @Argument(help: "The account's identifier, or the beginning of it.")
    var account: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        try await explaining {
            let configuration = try settings.configuration()
            let found = try AccountList.find(account, in: try AccountList.all(configuration))
            try confirm(found)
            let id = try AccountID(validating: found.id)
            if configuration.databases.isEmpty {
                let folder = try SettingsOptions.folder(configuration.data)
                let path = try CloudFolder.database(in: folder)
                guard try !CloudDatabase.isBackup(path: path) else { throw CloudDatabase.backupNotServed }
                let lock = try CloudServer.lock(folder)
                defer { withExtendedLifetime(lock) {} }
                let store = try SQLiteItemStore(path: path, rules: configuration.rules)
                defer { try? store.close() }
                try await store.removeAccount(id)
            } else {
                try await SharedAccounts.with(configuration) { try await $0.removeAccount(id) }
            }
            say("Account \(found.id) is deleted.")
        }
    }

    private func confirm(_ account: ListedAccount) throws(BatonError) {
        if yes { return }
        let question = "Delete account \(account.id) with \(ByteSize.text(account.bytes))?"
        guard isatty(0) == 1 else {
            throw BatonError(
                .invalidArgument, reason: SettingsOptions.usageReason,
                "\(question) There is no terminal to ask on: repeat the command with --yes.")
        }
        FileHandle.standardError.write(Data("\(question) Type y or n: ".utf8))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw BatonError(.canceled, reason: "declined", "Nothing was changed.")
        }
    }
}
