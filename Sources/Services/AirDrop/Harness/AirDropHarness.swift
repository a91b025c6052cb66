import AirDropProtocol
import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf
import Transfers

/// Answers `AirDropService` of the local plane.
package struct AirDropHarness: Sendable {
    private static let maximumItems = 1000

    private let receiver: AirDropReceiverService
    private let sender: AirDropSenderService
    private let history: AirDropHistory
    private let web: AirDropWeb

    package init(
        receiver: AirDropReceiverService, sender: AirDropSenderService, history: AirDropHistory, web: AirDropWeb
    ) {
        self.receiver = receiver
        self.sender = sender
        self.history = history
        self.web = web
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(AirDropMethods.getAirDrop) { [self] _, _ in state }
        router.unary(AirDropMethods.setAirDropVisibility) { [self] request, _ in
            guard let visibility = AirDropVisibility(request.visibility) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_visibility", "AirDrop can be off, contacts or everyone.")
            }
            receiver.setVisibility(visibility)
            return state
        }
        router.serverStream(AirDropMethods.watchNearby) { [sender] _, _, writer in
            try await sender.watchNearby { peers in try await writer.write(.with { $0.peers = peers.map(\.message) }) }
        }
        router.serverStream(AirDropMethods.sendItems) { [sender] request, _, writer in
            try Self.check(request)
            try await sender.send(paths: request.paths, urls: request.urls, to: request.peer) { event in
                try await writer.write(event.message)
            }
        }
        router.serverStream(AirDropMethods.watchReceiving) { [self] request, _, writer in
            try await watch(request, writer)
        }
        router.unary(AirDropMethods.answerAsk) { [receiver] request, _ in
            try Self.checkDirectory(request.directory)
            try receiver.decide(
                try TransferID(validating: request.transferID), accepts: request.accept,
                directory: request.directory.isEmpty ? nil : request.directory)
            return .init()
        }
        router.unary(AirDropMethods.listTransfers) { [history] request, _ in
            let limit = request.limit == 0 ? AirDropHistory.maximumRecords : Int(request.limit)
            return .with { $0.transfers = history.newest(limit).map(\.message) }
        }
        router.unary(AirDropMethods.explainNearby) { [self] request, _ in try await explain(request.device) }
        router.serverStream(AirDropMethods.serveWeb) { [web] request, _, writer in
            guard request.paths.count <= Self.maximumItems else { throw Self.tooMany }
            for path in request.paths + [request.directory] { try Self.checkDirectory(path) }
            try await web.serve(
                paths: request.paths, isOnce: request.once,
                directory: request.directory.isEmpty ? nil : request.directory
            ) { event in
                try await writer.write(event.message)
            }
        }
    }

    private func explain(_ device: String) async throws -> Baton_Control_V1_ExplainResponse {
        let (subject, stages) = try await sender.explain(device)
        return .with { $0.explanations = [.init(subject, stages)] }
    }

    private func watch(
        _ request: Baton_Control_V1_WatchReceivingRequest, _ writer: ConnectWriter<Baton_Control_V1_ReceivingEvent>
    ) async throws {
        try Self.checkDirectory(request.directory)
        let directory = request.directory.isEmpty ? nil : request.directory
        // Before anything is waited for that could not be stored then.
        if let directory { try await AirDropSenderService.disk.run { try ReceivedItems.check(directory) } }
        let events = receiver.watch()
        let follow = { [self] in
            try await writer.write(.with { $0.ready = .with { $0.state = state } })
            for await event in events { try await writer.write(event.message) }
        }
        if request.accept {
            try await receiver.accepting(into: directory, follow)
        } else {
            try await follow()
        }
    }

    private static func check(_ request: Baton_Control_V1_SendItemsRequest) throws(BatonError) {
        guard request.paths.count + request.urls.count > 0 else {
            throw BatonError(.invalidArgument, reason: "nothing_to_send", "Name a file, a folder or a link to send.")
        }
        guard request.paths.count <= maximumItems else { throw tooMany }
        for path in request.paths { try checkDirectory(path) }
    }

    private static let tooMany = BatonError(
        .invalidArgument, reason: "too_many_items",
        "At most \(maximumItems) items can be named at once. Send the folder that they are in.")

    private static func checkDirectory(_ path: String) throws(BatonError) {
        guard path.isEmpty || path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw BatonError(.invalidArgument, reason: "invalid_path", "“\(path)” is not an absolute path.")
        }
    }

    private var state: Baton_Control_V1_AirDropState {
        let status = receiver.status
        return .with {
            $0.visibility = status.visibility.message
            $0.until = status.until ?? 0
            $0.port = UInt32(clamping: status.port ?? 0)
            $0.otherPort = status.port.map { $0 != AirDropReceiverService.defaultPort } ?? false
            $0.problem = status.problem ?? ""
            $0.acceptsOwnDevices = status.acceptsOwnDevices
        }
    }
}

extension AirDropVisibility {
    init?(_ message: Baton_Control_V1_AirDropVisibility) {
        switch message {
        case .off: self = .off
        case .contacts: self = .contacts
        case .everyone: self = .everyone
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }

    var message: Baton_Control_V1_AirDropVisibility {
        switch self {
        case .off: .off
        case .contacts: .contacts
        case .everyone: .everyone
        }
    }
}

extension NearbyPeer {
    var message: Baton_Control_V1_NearbyPeer {
        .with {
            $0.id = id
            $0.name = name
            $0.model = model
            switch kind {
            case .device: $0.ownDevice = true
            case .contact: $0.contact = true
            case .announced: break
            }
        }
    }
}

extension AirDropSenderService.Event {
    var message: Baton_Control_V1_SendEvent {
        .with {
            switch self {
            case .asking(let name, let relation, let items, let bytes, let leftOut):
                $0.asking = .with {
                    $0.peerName = name
                    $0.ownDevice = relation == .ownDevice
                    $0.contact = relation == .contact
                    $0.leftOut = UInt32(clamping: leftOut)
                    $0.items = UInt32(clamping: items)
                    $0.bytes = bytes
                }
            case .progress(let progress): $0.progress = progress.message
            case .ended(let outcome): $0.outcome = outcome.outcomeMessage
            }
        }
    }
}

extension AirDropWeb.Event {
    var message: Baton_Control_V1_WebTransferEvent {
        .with {
            switch self {
            case .address(let address):
                $0.address = .with {
                    $0.urls = address.urls
                    $0.fingerprint = address.fingerprint
                    $0.until = address.until
                    $0.port = UInt32(clamping: address.port)
                    $0.otherPort = address.port != AirDropWeb.defaultPort
                }
            case .progress(let progress): $0.progress = progress.message
            case .ended(let outcome): $0.outcome = outcome.outcomeMessage
            }
        }
    }
}

extension ReceivingEvent {
    var message: Baton_Control_V1_ReceivingEvent {
        .with {
            $0.transferID = transfer.rawValue
            switch self {
            case .asked(let question): $0.asked = question.message
            case .accepted: $0.accepted = .init()
            case .progress(_, let progress): $0.progress = progress.message
            case .ended(_, let outcome): $0.outcome = outcome.outcomeMessage
            }
        }
    }
}

extension AirDropQuestion {
    var message: Baton_Control_V1_AskSummary {
        .with {
            $0.sender = sender
            $0.ownDevice = device != nil
            $0.contact = isContact
            $0.names = Array(names.prefix(100))
            $0.urls = links
            $0.items = UInt32(clamping: itemCount)
            $0.bytes = bytes ?? 0
            $0.leftOut = UInt32(clamping: leftOut)
        }
    }
}

extension TransferProgress {
    var message: Baton_Control_V1_TransferProgress {
        .with {
            $0.bytes = bytes
            $0.total = totalBytes
            $0.items = UInt32(clamping: files)
            $0.totalItems = UInt32(clamping: totalFiles)
            $0.waiting = isWaiting
        }
    }
}

extension AirDropOutcome {
    /// `message` is the sentence for a person.
    var outcomeMessage: Baton_Control_V1_TransferOutcome {
        .with {
            $0.result = result.rawValue
            $0.code = code?.rawValue ?? ""
            $0.reason = reason
            $0.message = message
            $0.items = UInt32(clamping: items)
            $0.bytes = bytes
            $0.paths = Array(paths.prefix(1000))
            $0.bundleID = app?.rawValue ?? ""
        }
    }
}

extension AirDropHistory.Record {
    var message: Baton_Control_V1_TransferRecord {
        .with {
            $0.time = time
            $0.sent = isSent
            $0.peerName = peer
            $0.names = names
            $0.outcome = outcome.outcomeMessage
        }
    }
}
