import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Files
import Foundation
import SwiftProtobuf

/// Where an ``AccountState`` is kept: one file, replaced as a whole, so that there is never half an account.
///
/// After a crash at any moment the file holds the state before or the state after. Only its owner can read it. It
/// begins with the SHA-256 of the rest, so that a damaged file is noticed and never taken for a smaller account.
struct AccountFile: Sendable {
    /// Bytes; a file beyond it is not ours.
    static let maximumSize = 16 << 20
    private static let format: UInt32 = 1

    let directory: String
    var limit = maximumSize
    var path: String { directory + "/account" }

    /// A device's stored data.
    struct Content: Sendable {
        /// Nil when there is no account.
        var state: AccountState?
        /// Accounts that this device left on its person's word, the newest last: their data here stays.
        var left: [AccountID] = []
    }

    /// - Throws: `data_loss` when the file is damaged, `failed_precondition` when a newer Baton wrote it. Neither is
    ///   ever overwritten.
    func load() throws(BatonError) -> Content {
        guard let bytes = try read() else { return Content() }
        let content = bytes.dropFirst(SHA256.byteCount)
        guard SHA256.hash(data: content) == bytes.prefix(SHA256.byteCount),
            let stored = try? Baton_Store_V1_StoredAccount(serializedBytes: Array(content)), stored.format > 0
        else { throw damaged("it cannot be read") }
        guard stored.format <= Self.format else {
            throw BatonError(
                .failedPrecondition, reason: "account_file_too_new",
                "\(path) was written by a newer version of Baton. Install that version again.")
        }
        let left = stored.leftAccounts.compactMap(AccountID.init(rawValue:))
        return Content(state: stored.deviceKey.isEmpty ? nil : try state(stored), left: left)
    }

    /// Returns once the state will survive a crash of the machine.
    /// - Throws: `resource_exhausted`, before anything is written, when ``load()`` would refuse the file as too large.
    func save(_ content: Content) throws(BatonError) {
        let stored = Baton_Store_V1_StoredAccount.with {
            $0.format = Self.format
            $0.leftAccounts = content.left.map(\.rawValue)
            guard let state = content.state else { return }
            $0.deviceKey = state.deviceKey.rawRepresentation
            $0.rootKey = state.rootKey?.rawRepresentation ?? Data()
            $0.rootPublicKey = state.membership.rootKey.x963Representation
            $0.contentKey = Data(state.keyRing.secret)
            $0.certificates = state.certificates.map { Data($0) }
            $0.membership = state.message
            $0.membership.discoveryKeys = state.discoveryKeys.stored
            for (device, time) in state.keysMet { $0.discoveryKeysMet[device.rawValue] = time.rawValue }
        }
        let bytes: [UInt8]
        do {
            bytes = try stored.serializedBytes()
        } catch {
            throw BatonError(.internal, reason: "account_not_stored", "The account could not be encoded.", cause: error)
        }
        guard bytes.count + SHA256.byteCount <= limit else {
            throw BatonError(
                .resourceExhausted, reason: "account_too_large",
                "The account has become too large to be stored. Nothing was changed.")
        }
        try SecureDirectory.prepare(directory)
        try AtomicFile.write(Array(SHA256.hash(data: bytes)) + bytes, to: path)
    }

    /// Also removes what a crash while writing may have left: it holds keys.
    private func read() throws(BatonError) -> [UInt8]? {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where name.hasPrefix("account.") && name.hasSuffix(".new") {
            try? FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        return try AtomicFile.read(path, limit: limit)
    }

    private func state(_ stored: Baton_Store_V1_StoredAccount) throws(BatonError) -> AccountState {
        do {
            let rootKey = try P256.Signing.PublicKey(x963Representation: stored.rootPublicKey)
            var state = AccountState(
                deviceKey: try P256.Signing.PrivateKey(rawRepresentation: stored.deviceKey),
                rootKey: stored.rootKey.isEmpty ? nil : try P256.Signing.PrivateKey(rawRepresentation: stored.rootKey),
                keyRing: try KeyRing(
                    account: AccountID(rootKey: rootKey), secret: Array(stored.contentKey),
                    restoring: stored.membership.contentKeys),
                certificates: stored.certificates.map { Array($0) },
                membership: try Membership(rootKey: rootKey, statements: stored.membership.statements))
            guard state.membership.key(of: state.deviceID) != nil, !state.certificates.isEmpty
            else { throw damaged("it does not fit together") }
            var keysMet: [DeviceID: HybridTimestamp] = [:]
            for (text, time) in stored.discoveryKeysMet {
                if let device = DeviceID(rawValue: text) { keysMet[device] = HybridTimestamp(rawValue: time) }
            }
            state.restore(stored.membership, keysMet: keysMet)
            return state
        } catch {
            throw damaged("it does not fit together", error)
        }
    }

    private func damaged(_ what: String, _ cause: (any Error)? = nil) -> BatonError {
        BatonError(
            .dataLoss, reason: "account_file_damaged",
            "\(path) is damaged: \(what). Restore it from a copy, or remove it and pair this device again.",
            cause: cause)
    }
}
