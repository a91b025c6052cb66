import AirDrop
import BatonCore
import BatonTransport
import Foundation
import LaunchServices
import Peers
import ServiceLifecycle
import Transfers

/// AirDrop, to devices of the account and to others.
struct AirDropPart: DaemonPart {
    let receiver: AirDropReceiverService
    private let sender: AirDropSenderService
    private let history: AirDropHistory
    private let sharing: AirDropSharingHarness
    private let web: AirDropWeb
    private let settingsFollower: EventFollower<String>

    init(_ daemon: DaemonComposition) throws {
        let devices = try daemon.part(DevicesPart.self)
        let options = daemon.options
        let folder = options.locations.data + "/airdrop"
        history = AirDropHistory(folder: folder, recorder: daemon.log)
        let peers = devices.peers
        let transfers = try daemon.part(TransfersPart.self)
        let client = transfers.client(of: .airDrop)
        let contacts = AirDropContactBook(book: devices.contacts)
        let opening = try daemon.part(OpeningPart.self)
        let items = AirDropItems(service: opening.service)
        let downloads = options.locations.downloads(hasHome: options.hasHome, environment: options.environment)
        let receiver = AirDropReceiverService(
            configuration: .init(
                interfaces: options.interfaces, port: options.port + 2, downloads: downloads, folder: folder),
            devices: peers, transfers: client, contacts: contacts, opening: items, discovery: devices.discovery,
            history: history, recorder: daemon.log, logger: daemon.logger)
        self.receiver = receiver
        transfers.deciders.register(.airDrop) { id, manifest, device, whenGone in
            try await receiver.offered(id, manifest, by: device, whenGone: whenGone)
        }
        sender = AirDropSenderService(
            devices: peers, transfers: client, contacts: contacts, opening: items, discovery: devices.discovery,
            history: history, isOwn: { receiver.isOwn($0) }, recorder: daemon.log)
        web = AirDropWeb(
            interfaces: options.interfaces, port: options.port + 3, downloads: downloads, deviceName: peers.ownName,
            history: history, recorder: daemon.log, logger: daemon.logger)
        let launchServices = try daemon.part(AppsPart.self).launchServices
        sharing = AirDropSharingHarness(
            sharing: AirDropSharing(sender: sender, folder: folder), questions: opening.questions
        ) { launchServices.app($0)?.containerPath }
        let settings = try daemon.part(SettingsPart.self).settings
        receiver.setAcceptsOwnDevices(settings.value(of: .airDropOwnDevices) == Setting.accept)
        settingsFollower = EventFollower(settings.values(of: .airDropOwnDevices)) {
            receiver.setAcceptsOwnDevices($0 == Setting.accept)
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        AirDropHarness(receiver: receiver, sender: sender, history: history, web: web).register(on: &router)
        sharing.register(on: &router)
    }

    var services: [any Service] { [receiver, settingsFollower] }
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
