import ArgumentParser
import BatonCore
import Foundation
import Glibc

/// `baton-cloud accounts quota`
struct AccountsQuotaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota", abstract: "Set how much one account may store. The server may be running.",
        discussion: """
            It holds at once and over restarts, before --quota and the configuration. Data that the account has already stays, \
            also when that is more: until there is room, its devices keep what they write and say so.

              baton-cloud accounts quota QK3T7A "50 GiB"
              baton-cloud accounts quota QK3T7A none
              baton-cloud accounts quota QK3T7A default
            """)

    @Argument(help: "The account's identifier, or the beginning of it.")
    var account: String

    @Argument(
        help:
            "A size, as in “50 GiB” (B, KiB, MiB, GiB, TiB), “none” for no limit, or “default” for what every account may."
    )
    var size: String

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        try await explaining {
            let quota = try Self.quota(size)
            let configuration = try settings.configuration()
            let found = try AccountList.find(account, in: try AccountList.all(configuration))
            let id = try AccountID(validating: found.id)
            if configuration.databases.isEmpty {
                let path = try CloudFolder.database(in: try SettingsOptions.folder(configuration.data))
                try CloudDatabase.setQuota(quota, of: id, path: path)
            } else {
                try await SharedAccounts.with(configuration) { try await $0.setQuota(quota, of: id) }
            }
            let bytes = quota ?? configuration.rules.quota
            let used = UInt64(clamping: found.bytes)
            say("Account \(found.id) may keep \(bytes > 0 ? ByteSize.text(bytes) : "any amount").")
            if bytes > 0, used > bytes {
                say("It keeps \(ByteSize.text(used)), which stays. Nothing is added until there is room.")
            }
        }
    }

    /// - Returns: nil for that of all.
    static func quota(_ text: String) throws(BatonError) -> UInt64? {
        switch text.lowercased() {
        case "default": return nil
        case "none": return 0
        default:
            do {
                return try ConfigurationValue.bytes(text, 0...1 << 50, plain: 1 << 20)
            } catch {
                throw BatonError(
                    .invalidArgument, reason: SettingsOptions.usageReason,
                    "“\(text.shortened(toBytes: 80))” \((error as? ConfigurationProblem)?.text ?? "is no size.")")
            }
        }
    }
}
