import AirDrop
import BatonCore
import BatonTransport
import Devices
import Foundation
import Logging
import Opening
import Transfers

/// AirDrop and transfers between the account's devices, as the daemon composes them.
struct AirDropPart: Sendable {
    let receiver: AirDropReceiverService
    private let sender: AirDropSenderService
    private let outbox = TransferOutbox()
    private let history: AirDropHistory

    /// - Parameter port: of the listener for strangers.
    init(
        account: AccountService, presence: PresenceService, peers: LinkPeers, opening: OpeningService,
        discovery: any Discovery, locations: Locations, downloads: String, interfaces: [String]?, port: Int,
        recorder: any EventRecorder, logger: Logger
    ) {
        let folder = locations.data + "/airdrop"
        history = AirDropHistory(folder: folder, recorder: recorder)
        let devices = AirDropPeers(account: account, presence: presence, peers: peers)
        let items = AirDropItems(service: opening)
        let receiver = AirDropReceiverService(
            configuration: .init(interfaces: interfaces, port: port, downloads: downloads, folder: folder),
            devices: devices, opening: items, discovery: discovery, history: history, recorder: recorder,
            logger: logger)
        self.receiver = receiver
        sender = AirDropSenderService(
            devices: devices, opening: items, discovery: discovery, outbox: outbox, history: history,
            isOwn: { receiver.isOwn($0) }, recorder: recorder)
    }

    func register(on router: inout ConnectRouter) {
        AirDropHarness(receiver: receiver, sender: sender, history: history).register(on: &router)
    }

    /// - Parameter member: the calling device of the account; throws for any other.
    func registerLink(on router: inout ConnectRouter, member: @escaping @Sendable (CallContext) throws -> DeviceID) {
        TransfersHarness(outbox: outbox) { [receiver] id, manifest, device in
            try await receiver.offered(id, manifest, by: device)
        }.register(on: &router, member: member)
    }
}

extension Locations {
    /// The person's folder of downloads: with a home of its own a device has one below it, else it is the desktop's.
    func downloads(hasHome: Bool, environment: [String: String]) -> String {
        if hasHome { return URL(fileURLWithPath: data).deletingLastPathComponent().path + "/Downloads" }
        let user = environment["HOME"] ?? ""
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? user + "/.config"
        let text = (try? String(contentsOfFile: configuration + "/user-dirs.dirs", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("XDG_DOWNLOAD_DIR=\"") {
            let value = line.dropFirst("XDG_DOWNLOAD_DIR=\"".count).prefix { $0 != "\"" }
            let path = value.hasPrefix("$HOME/") ? user + value.dropFirst("$HOME".count) : String(value)
            if path.hasPrefix("/") { return path }
        }
        return user + "/Downloads"
    }
}
