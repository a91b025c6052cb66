import BatonCore
import Crypto
import Files
import Foundation

/// The Inboxes of apps and the sealed copies of what is in them, on the disk. Every method blocks; one at a time.
///
/// `inboxes/BUNDLE/NAME` is a file as its app sees it. While the device is locked a closed file stands there: as long, as
/// old, without content, and with a mode by which no program can open it. The content is `protected/sealed/ID.sealed`.
package struct SealedStore: Sendable {
    let folder: String
    private let inboxes: String
    /// Called before each step that changes the disk, with its name. Tests end the process there.
    let step: @Sendable (String) throws -> Void

    /// - Parameters:
    ///   - folder: of the keys and sealed files; made here.
    ///   - inboxes: has one directory for each app.
    package init(
        folder: String, inboxes: String, step: @escaping @Sendable (String) throws -> Void = { _ in }
    ) throws {
        self.folder = folder
        self.inboxes = inboxes
        self.step = step
        try SecureDirectory.prepare(folder)
        try SecureDirectory.prepare(folder + "/sealed")
    }

    // MARK: State

    private var keyPath: String { folder + "/key.json" }
    private var lockPath: String { folder + "/locked" }

    func key() throws -> ProtectionKey? {
        guard let bytes = try AtomicFile.read(keyPath, limit: 1 << 16) else { return nil }
        guard let key = try? JSONDecoder().decode(ProtectionKey.self, from: Data(bytes)) else {
            throw BatonError(
                .dataLoss, reason: "protection_key_damaged",
                "The key of the locked files is damaged. Restore “protected/key.json” of the daemon's data from a copy."
            )
        }
        return key
    }

    /// - Parameter key: nil removes it, when no file is sealed to it.
    func set(_ key: ProtectionKey?) throws {
        if let key { return try AtomicFile.write(Array(JSONEncoder().encode(key)), to: keyPath) }
        try DirectoryHandle(path: folder).remove("key.json")
        try DirectoryHandle(path: folder).synchronize()
    }

    /// Sealed files are those of a locked device, even if the mark was removed.
    func isLocked() throws -> Bool {
        if try AtomicFile.read(lockPath, limit: 16) != nil { return true }
        // A damaged one says nothing.
        return try !records(.sealed).isEmpty || (try? classKey())?.isSealed == true
    }

    func sealedCount() throws -> Int { try records(.sealed).count }

    private var sealed: DirectoryHandle {
        get throws(BatonError) { try DirectoryHandle(path: folder + "/sealed") }
    }

    private func records(_ state: SealingRecovery.State) throws(BatonError) -> [String] {
        let suffix = "." + state.rawValue
        return try sealed.names(limit: 1_000_000).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }

    private func head(_ id: String, _ state: SealingRecovery.State) throws -> SealedFile.Head {
        let head = try SealedFile.head(of: sealed.file("\(id).\(state.rawValue)"))
        // It was written here; but nothing that lies on a disk leads out of the Inboxes.
        guard BundleID(rawValue: head.bundleID) != nil, Self.isName(head.name) else { throw SealedFile.damaged }
        return head
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.utf8.contains(0)
    }

    /// Nil for an app that is gone.
    private func inbox(_ bundleID: String) -> DirectoryHandle? { try? DirectoryHandle(path: inboxes + "/" + bundleID) }

    private func rename(_ id: String, _ from: SealingRecovery.State, _ to: SealingRecovery.State) throws {
        try step("\(from.rawValue) to \(to.rawValue)")
        try sealed.rename("\(id).\(from.rawValue)", to: "\(id).\(to.rawValue)")
        try sealed.synchronize()
    }

    private func remove(_ id: String, _ state: SealingRecovery.State) throws {
        try step("remove \(state.rawValue)")
        try sealed.remove("\(id).\(state.rawValue)")
        try sealed.synchronize()
    }

    private static func closed(_ id: String) -> String { ".\(id).closed" }
    private static func opened(_ id: String) -> String { ".\(id).opened" }

    // MARK: The start

    /// Finishes or undoes what a crash interrupted.
    func recover() throws {
        for state in [SealingRecovery.State.new, .sealing, .sealed, .opening] {
            for id in try records(state) { try recover(id, state) }
        }
    }

    private func recover(_ id: String, _ state: SealingRecovery.State) throws {
        guard state != .new else { return try remove(id, .new) }
        guard let head = try? head(id, state) else { return try rename(id, state, .damaged) }
        guard let inbox = inbox(head.bundleID) else { return try remove(id, state) }
        let decision = SealingRecovery.decide(
            state, inode: head.inode, entry: InboxEntry(inbox, head.name),
            hasOpened: InboxEntry(inbox, Self.opened(id)) != nil)
        try inbox.remove(Self.closed(id))
        switch decision {
        case .dropSealed:
            try remove(id, state)
        case .keepSealed:
            try inbox.remove(Self.opened(id))
            if state == .sealing {
                // Between the two steps an app may have deleted the file.
                try rename(id, .sealing, .sealed)
            }
        case .place:
            try place(id, head, inbox)
        }
    }

    // MARK: Locking

    /// Notes that the device is locked, before anything else is done.
    func markLocked() throws {
        try step("mark locked")
        try AtomicFile.write(Array("1\n".utf8), to: lockPath)
    }

    /// Closes every file of every Inbox.
    /// - Returns: how many could not be sealed, and why the first could not. Those are hidden from apps all the same.
    func closeAll(_ key: ProtectionKey?) throws -> (failures: Int, first: (any Error)?) {
        var failures: [any Error] = []
        do {
            try sealClassKey(key)
        } catch let error as Interruption {
            throw error
        } catch {
            failures.append(error)
        }
        for bundleID in try DirectoryHandle(path: inboxes).names(limit: 1_000_000) {
            let bundleID = String(decoding: bundleID, as: UTF8.self)
            guard let inbox = inbox(bundleID) else { continue }
            for name in try inbox.names(limit: 1_000_000) {
                do {
                    try close(String(decoding: name, as: UTF8.self), of: bundleID, in: inbox, key)
                } catch let error as Interruption {
                    throw error
                } catch {
                    failures.append(error)
                }
            }
        }
        return (failures.count, failures.first)
    }

    /// Closes one file.
    func close(_ name: String, of bundleID: String, _ key: ProtectionKey?) throws {
        guard let inbox = inbox(bundleID) else { return }
        try close(name, of: bundleID, in: inbox, key)
    }

    private func close(_ name: String, of bundleID: String, in inbox: DirectoryHandle, _ key: ProtectionKey?) throws {
        guard Self.isName(name), let entry = InboxEntry(inbox, name), entry.isFile, !entry.isClosed else { return }
        guard let key else { return try hide(name, in: inbox) }
        do {
            try seal(name, entry, of: bundleID, in: inbox, key)
        } catch let error as Interruption {
            throw error
        } catch {
            // A closed file with a sealed one of this name must stay empty, or unlocking could put that over it.
            if try !hasSealed(name, of: bundleID) { try hide(name, in: inbox) }
            throw error
        }
    }

    private func hide(_ name: String, in inbox: DirectoryHandle) throws {
        try step("hide")
        try InboxEntry.change(inbox, name, mode: 0)
    }

    private func hasSealed(_ name: String, of bundleID: String) throws -> Bool {
        try
            (records(.sealed).map { ($0, SealingRecovery.State.sealed) }
            + records(.damaged).map { ($0, SealingRecovery.State.damaged) })
            .contains { id, state in
                guard let head = try? head(id, state) else { return false }
                return head.name == name && head.bundleID == bundleID
            }
    }

    private func seal(
        _ name: String, _ entry: InboxEntry, of bundleID: String, in inbox: DirectoryHandle, _ key: ProtectionKey
    ) throws {
        let id = String(UInt64.random(in: .min ... .max), radix: 36)
        let head = SealedFile.Head(
            bundleID: bundleID, name: name, size: entry.size, modified: entry.modified, inode: entry.inode)
        try step("seal")
        do {
            let target = try sealed.createFile("\(id).new", mode: 0o600)
            try SealedFile.seal(inbox.file(name), head, to: target, publicKey: key.publicKey)
            try target.synchronize()
        } catch {
            if !(error is Interruption) { try? sealed.remove("\(id).new") }
            throw error
        }
        try rename(id, .new, .sealing)
        try step("make closed")
        let closed = try inbox.createFile(Self.closed(id), mode: 0)
        try InboxEntry.resize(closed, entry.size)
        try InboxEntry.set(closed, mode: 0, modified: entry.modified)
        try closed.synchronize()
        try step("put closed")
        // Written to meanwhile, or another file: the sealed copy is not of it.
        guard InboxEntry(inbox, name) == entry else {
            try inbox.remove(Self.closed(id))
            return try remove(id, .sealing)
        }
        try inbox.rename(Self.closed(id), to: name)
        try inbox.synchronize()
        try rename(id, .sealing, .sealed)
    }

    // MARK: Unlocking

    /// Opens all sealed files, then all that are only closed.
    /// - Parameter passphrase: unused without a key.
    /// - Returns: how many were damaged. They are kept aside, as `ID.damaged`.
    /// - Throws: `permission_denied` for a wrong passphrase; when the disk is full. Items opened by then are open.
    func openAll(_ key: ProtectionKey?, passphrase: String) throws -> Int {
        var damaged = 0
        if let key {
            let privateKey = try key.privateKey(passphrase)
            do {
                try openClassKey(privateKey)
            } catch let error as BatonError where error.code == .dataLoss {
                // Files are not kept from being opened by it.
                damaged += 1
            }
            for id in try records(.sealed) {
                do {
                    try open(id, privateKey)
                } catch let error as BatonError where error.code == .dataLoss {
                    try rename(id, .sealed, .damaged)
                    damaged += 1
                }
            }
        } else if try !records(.sealed).isEmpty || (try? classKey())?.isSealed == true {
            throw BatonError(
                .dataLoss, reason: "protection_key_missing",
                "The key of the locked files is missing. Restore “protected/key.json” of the daemon's data from a copy."
            )
        }
        try showAll()
        try step("mark unlocked")
        try DirectoryHandle(path: folder).remove("locked")
        try DirectoryHandle(path: folder).synchronize()
        return damaged
    }

    private func open(_ id: String, _ privateKey: Curve25519.KeyAgreement.PrivateKey) throws {
        let head = try head(id, .sealed)
        guard let inbox = inbox(head.bundleID) else { return try remove(id, .sealed) }
        try step("open")
        try inbox.remove(Self.opened(id))
        do {
            let target = try inbox.createFile(Self.opened(id), mode: 0o600)
            try SealedFile.open(sealed.file("\(id).sealed"), to: target, privateKey: privateKey)
            try InboxEntry.set(target, mode: 0o444, modified: head.modified)
            try target.synchronize()
            try inbox.synchronize()
        } catch {
            if !(error is Interruption) { try? inbox.remove(Self.opened(id)) }
            throw error
        }
        try rename(id, .sealed, .opening)
        try place(id, head, inbox)
    }

    /// Puts a clear file into its place: of the closed file, or of nothing. Any other file stays what it is.
    private func place(_ id: String, _ head: SealedFile.Head, _ inbox: DirectoryHandle) throws {
        try step("place")
        let entry = InboxEntry(inbox, head.name)
        if entry?.isClosed ?? true {
            try inbox.rename(Self.opened(id), to: head.name)
        } else {
            var number = 1
            while try !InboxEntry.link(inbox, Self.opened(id), as: Self.numbered(head.name, number)) { number += 1 }
            try inbox.remove(Self.opened(id))
        }
        try inbox.synchronize()
        try remove(id, .opening)
    }

    /// As in `Inbox`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// The files that are closed without being sealed.
    private func showAll() throws {
        // Which file such a sealed one stands for is not known: whatever is empty stays closed.
        let isUnknown = try records(.damaged).contains { (try? head($0, .damaged)) == nil }
        for bundleID in try DirectoryHandle(path: inboxes).names(limit: 1_000_000) {
            let bundleID = String(decoding: bundleID, as: UTF8.self)
            guard let inbox = inbox(bundleID) else { continue }
            for name in try inbox.names(limit: 1_000_000) {
                let name = String(decoding: name, as: UTF8.self)
                guard let entry = InboxEntry(inbox, name), entry.isClosed, !(isUnknown && entry.isHole),
                    try !hasSealed(name, of: bundleID)
                else { continue }
                try step("show")
                try InboxEntry.change(inbox, name, mode: 0o444)
            }
        }
    }
}

/// Thrown by a test's step: as if the process had ended there.
struct Interruption: Error {}
