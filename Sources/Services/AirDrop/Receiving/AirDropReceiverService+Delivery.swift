import AirDropArchive
import AirDropProtocol
import BatonConcurrency
package import BatonCore
import Files
import Foundation
import Synchronization
package import Transfers

/// The steps after something was accepted.
extension AirDropReceiverService {
    // MARK: Devices of the account

    /// Asked by a device of the account; returns once it is decided.
    /// - Parameter whenGone: calls back when the device's connection has closed.
    package func offered(
        _ id: TransferID, _ manifest: TransferManifest, by device: DeviceID,
        whenGone: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) async throws -> Bool {
        let question = AirDropQuestion(
            id: id, sender: devices.name(of: device), device: device,
            names: manifest.topLevel.map { SafeName.display($0.path) }, links: manifest.urls,
            itemCount: manifest.topLevel.count + manifest.urls.count, bytes: manifest.totalBytes,
            leftOut: manifest.leftOut)
        let transfer = IncomingTransfer(question, .device(device, manifest))
        let ask = begin(transfer)
        own.input(
            .offered(ask, device, needsBytes: !manifest.entries.isEmpty, others: driver.read(\.count)))
        // Once it is answered the connection does not matter any more.
        whenGone { [weak self, transfer] in
            if !transfer.update({ $0.isAnswered }) { self?.own.input(.senderGone(ask)) }
        }
        defer { transfer.update { $0.isAnswered = true } }
        do {
            try await transfer.answer.value()
            return true
        } catch let error as BatonError {
            state.withLock { _ = $0.transfers.removeValue(forKey: ask) }
            if error.reason == "airdrop_declined" { return false }
            throw error
        } catch {
            // The sender gave up.
            own.input(.decided(ask, accepts: false))
            throw error
        }
    }

    func begin(_ transfer: IncomingTransfer) -> AskID {
        state.withLock { state in
            state.lastNumber += 1
            let id = AskID(state.lastNumber)
            state.transfers[id] = transfer
            return id
        }
    }

    /// Fetches what a device of the account offered.
    func beginDownload(_ id: AskID) {
        guard let transfer = transfer(id), case .device(let device, let manifest) = transfer.source,
            !manifest.entries.isEmpty
        else { return }
        // Cancelled when the transfer ends.
        let task = Task { [self] in
            do {
                let key = PausedDownloads.Key(
                    device: device, manifest: manifest, directory: transfer.update { $0.directory })
                let earlier = paused.take(key)
                if let earlier { transfer.update { $0.staging = earlier.destination } }
                let folder = try earlier?.destination ?? stagingFolder(of: transfer)
                if earlier == nil { paused.makeRoom(for: manifest.totalBytes, at: folder) }
                let download = transfers.download(transfer.question.id, manifest, from: device)
                let files = try await download.run(
                    into: folder, after: earlier, pause: { [paused] in paused.add($0, key) }
                ) { [self] progress in
                    transfer.update { $0.bytes = progress.bytes }
                    own.input(.progressed(id, bytes: progress.bytes))
                    tell(.progress(transfer.question.id, progress))
                }
                transfer.update { $0.files = files }
                own.input(.received(id))
            } catch {
                own.input(.failed(id, error as? BatonError ?? Self.over))
            }
        }
        transfer.update { $0.download = task }
    }

    // MARK: Places

    /// Where the files of a transfer appear first.
    func stagingFolder(of transfer: IncomingTransfer) throws(BatonError) -> String {
        let directory = transfer.update { $0.directory }
        let folder =
            directory
            ?? (transfer.isSingleFile
                ? "\(configuration.folder)/incoming/\(transfer.question.id)" : configuration.downloads)
        try ReceivedItems.prepare(folder)
        transfer.update { $0.staging = folder }
        return folder
    }

    /// Puts what has come into place, or opens it.
    func deliver(_ id: AskID) async {
        guard let transfer = transfer(id) else { return }
        do {
            let extractor = transfer.update { $0.extractor }
            if let extractor, let staging = transfer.update({ $0.staging }) {
                let names = try await Self.disk.run { try extractor.deliver() }
                transfer.update { $0.received = names.map { "\(staging)/\($0)" } }
            }
            // With the disk's own time: nothing waits for bytes any more.
            if let files = transfer.update({ $0.files }) {
                let paths = try await Self.disk.run { try files.deliver() }
                transfer.update { $0.received = paths }
            }
            var outcome = AirDropOutcome(.delivered)
            outcome.items = transfer.question.itemCount
            outcome.paths = transfer.update { $0.received }
            if transfer.isSingleFile, transfer.update({ $0.directory }) == nil, let path = outcome.paths.first {
                (outcome.paths, outcome.app) = try await place(path)
                let staging = transfer.update { $0.staging }
                if let staging { await Self.disk.run { _ = try? FileManager.default.removeItem(atPath: staging) } }
            }
            await openPage(of: transfer)
            outcome.paths += transfer.question.links
            let final = outcome
            transfer.update { $0.outcome = final }
            switch transfer.source {
            case .stranger: driver.input(.delivered(id))
            case .device: own.input(.delivered(id))
            }
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.unknown, reason: "not_stored", "The received items could not be stored.", cause: error)
            switch transfer.source {
            case .stranger: driver.input(.failed(id, error))
            case .device: own.input(.failed(id, error))
            }
        }
    }

    /// Gives a single file to the app that takes it; without one, or if the app cannot have it, to the downloads.
    private func place(_ path: String) async throws -> ([String], BundleID?) {
        if let app = await opening.app(forFile: path) {
            do {
                return ([try await opening.open(file: path, in: app)], app)
            } catch {
                recorder.record(
                    "airdrop", "app_refused",
                    "\(app) could not be given the file, which went to the downloads.",
                    ["bundle_id": app.rawValue, "error": "\(error)"])
            }
        }
        let downloads = configuration.downloads
        return ([try await Self.disk.run { try ReceivedItems.move(path, to: downloads) }], nil)
    }

    /// Opens the page that was sent; other links are only named.
    private func openPage(of transfer: IncomingTransfer) async {
        guard transfer.update({ $0.directory }) == nil, let page = ReceivedPage(transfer.question) else { return }
        guard await page.mayOpen(resolving: opening.addresses(ofHost:)) else {
            recorder.record(
                "airdrop", "link_not_opened", "A received link leads into this network, and was not opened.", [:])
            return
        }
        do {
            try await opening.open(link: page.page.text)
        } catch {
            recorder.record("airdrop", "link_not_opened", "A received link could not be opened: \(error)", [:])
        }
    }

    static let disk = BlockingQueue("baton.airdrop.disk")
}
