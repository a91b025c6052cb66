import AirDropArchive
import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import Files
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transfers

/// The three requests of the AirDrop protocol.
extension AirDropReceiverService {
    /// Bytes of the disk that a transfer leaves free.
    private static let reserve: UInt64 = 64 << 20
    private static let modelName = "Linux"
    /// The limit of strangers' messages: the largest one fits for each of those that may ask at once.
    private static let bodies = ByteBudget(
        maximum: 4 * AirDropLimits.askSize, perClient: AirDropLimits.askSize + ByteBudget.smallSize)

    func register(on router: inout ConnectRouter) {
        router.resource(AirDropCall.discover.rawValue) { [self] in try await answering($0, discover) }
        router.resource(AirDropCall.ask.rawValue) { [self] in try await answering($0, ask) }
        router.resource(AirDropCall.upload.rawValue) { [self] in try await answering($0, upload) }
    }

    /// Turns an error into the status that senders know.
    private func answering(_ call: ResourceCall, _ body: (ResourceCall) async throws -> Void) async throws {
        do {
            guard call.method == .post else {
                throw call.refusal(
                    .methodNotAllowed, [.allow: "POST"],
                    BatonError(.unimplemented, reason: "method_not_allowed", "Only POST is supported."))
            }
            try await body(call)
        } catch let error as BatonError where error.reason != "method_not_allowed" {
            throw call.refusal(.init(code: AirDropStatus.refusing(error)), [:], error)
        }
    }

    private func discover(_ call: ResourceCall) async throws {
        _ = try DiscoverRequest(try await body(of: call, .discover))
        let relation: SenderRelation = access.contact(of: call.connection) == nil ? .stranger : .contact
        let isVisible = driver.read(\.visibility).includes(relation)
        let answer = DiscoverAnswer(computerName: isVisible ? ownName : nil, modelName: Self.modelName)
        try await respond(call, answer.body)
    }

    private var ownName: String {
        let name = devices.ownName()
        return name.isEmpty ? "Baton" : name
    }

    private func ask(_ call: ResourceCall) async throws {
        // Before the body is read: its end may be that of the connection.
        let connection = connection(of: call)
        let request = try AskRequest(try await body(of: call, .ask))
        guard call.isConnected else { throw Self.senderLost }
        let contact = access.contact(of: call.connection)
        let question = AirDropQuestion(
            id: .random(), sender: SafeName.display(contact?.name ?? request.senderComputerName), device: nil,
            isContact: contact != nil,
            names: request.files.map { SafeName.display($0.name) }, links: request.links.map(\.text),
            itemCount: request.files.count + request.links.count, bytes: nil)
        let transfer = IncomingTransfer(question, .stranger(request.files))
        let id = begin(transfer)
        // A connection with a question or an accepted transfer makes room for no other.
        gate.hold(call.connection)
        // With the call the channel stays, so that no other one has its identity.
        transfer.whenOver { [gate] in gate.release(call.connection) }
        driver.input(
            .asked(
                id, client(of: call, connection), connection, contact == nil ? .stranger : .contact,
                place: UnauthenticatedGate.network(of: call.context.remoteAddress?.host ?? ""),
                others: own.read(\.count), needsUpload: request.needsUpload))
        // The connection may have gone before there was a question that goes with it.
        if !call.isConnected { driver.input(.disconnected(connection)) }
        do {
            try await transfer.answer.value()
        } catch {
            // One that was refused at once has no end of its own.
            state.withLock { $0.transfers.removeValue(forKey: id) }?.isOver()
            throw error
        }
        try await respond(call, AskAnswer(computerName: ownName, modelName: Self.modelName).body)
    }

    private func upload(_ call: ResourceCall) async throws {
        try AirDropCall.checkUpload(contentType: call.headers[.contentType])
        let connection = connection(of: call)
        let begun = Promise<IncomingTransfer>()
        let id = state.withLock { state in
            state.lastNumber += 1
            let id = UploadID(state.lastNumber)
            state.uploads[id] = begun
            return id
        }
        driver.input(.uploadBegan(id, client(of: call, connection), connection))
        let transfer = try await begun.value()
        guard let ask = state.withLock({ $0.transfers.first { $0.value === transfer }?.key }) else { throw Self.over }
        do {
            try await receive(call, transfer, ask)
            driver.input(.uploadReceived(ask))
        } catch {
            driver.input(.failed(ask, error as? BatonError ?? Self.senderLost))
            throw error
        }
        try await transfer.stored.value()
        try await respond(call, [])
    }

    private func receive(_ call: ResourceCall, _ transfer: IncomingTransfer, _ ask: AskID) async throws {
        guard case .stranger(let files) = transfer.source else { throw Self.over }
        let folder = try stagingFolder(of: transfer)
        let free = StagingFolder.freeBytes(at: folder) ?? .max
        let limits = ArchiveLimits(bytes: free > Self.reserve ? free - Self.reserve : 0)
        let thread = BlockingQueue("baton.airdrop.unpack")
        let extractor = try await thread.run { try ArchiveExtractor(files, into: folder, limits: limits) }
        transfer.update { $0.extractor = extractor }
        try await call.read { bytes in
            let progress = try await thread.run {
                try bytes.withUnsafeReadableBytes { try extractor.write($0) }
            }
            transfer.update { $0.bytes = progress.bytes }
            driver.input(.uploadProgressed(ask, bytes: progress.bytes))
            tell(
                .progress(
                    transfer.question.id,
                    TransferProgress(
                        bytes: progress.bytes, totalBytes: 0, files: progress.items, totalFiles: files.count)))
        }
    }

    // MARK: Calls

    /// A contact has proved its key; anybody else is a connection.
    private func client(of call: ResourceCall, _ connection: ConnectionID) -> AirDropClient {
        access.contact(of: call.connection).map { .certificate($0.publicKey) } ?? .connection(connection)
    }

    private func connection(of call: ResourceCall) -> ConnectionID {
        let key = call.connection
        let (id, isNew) = state.withLock { state in
            if let known = state.connections[key] { return (known, false) }
            state.lastNumber += 1
            let id = ConnectionID(state.lastNumber)
            state.connections[key] = id
            return (id, true)
        }
        if isNew {
            call.whenClosed { [weak self] in
                self?.state.withLock { _ = $0.connections.removeValue(forKey: key) }
                self?.driver.input(.disconnected(id))
            }
        }
        return id
    }

    private func body(of call: ResourceCall, _ kind: AirDropCall) async throws -> [UInt8] {
        let limit = kind.maximumBodySize ?? 0
        let tooLarge = BatonError(
            .resourceExhausted, reason: "property_list_too_large", "The request is larger than \(limit) bytes.")
        guard call.length ?? 0 <= UInt64(limit) else { throw tooLarge }
        let share = Self.bodies.share(of: "airdrop \(call.context.remoteAddress?.host ?? "")")
        defer { share.end() }
        var body: [UInt8] = []
        try await call.read { bytes in
            guard body.count + bytes.readableBytes <= limit else { throw tooLarge }
            try share.hold(body.count + bytes.readableBytes)
            body += bytes.readableBytesView
        }
        return body
    }

    private func respond(_ call: ResourceCall, _ body: [UInt8]) async throws {
        try await call.begin(
            .ok, [.contentType: AirDropCall.propertyListType, .contentLength: String(body.count)])
        if !body.isEmpty { try await call.write(ByteBuffer(bytes: body)) }
        try await call.end()
    }

    private static let senderLost = BatonError(
        .unavailable, reason: "airdrop_sender_gone",
        "The sender went away before all had come. Nothing of it was kept. Have it sent again.")
}
