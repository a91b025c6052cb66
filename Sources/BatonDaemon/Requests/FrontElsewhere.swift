import BatonCore
import BatonWire
import Requests
import SwiftProtobuf
import Synchronization

/// The app in front on the account's other devices that are in use, by the topic `requests.front`. Safe to use from any task.
final class FrontElsewhere: Sendable {
    private struct State {
        /// The one that changed last comes last. Policy: as many as there are connected devices.
        var devices: [(device: DeviceID, content: RequestedContent)] = []
    }

    private let state = Mutex(State())
    private let name: @Sendable (DeviceID) -> String

    /// - Parameter name: of a device, for people.
    init(name: @escaping @Sendable (DeviceID) -> String) { self.name = name }

    /// With several devices, the screen that changed last.
    var current: RequestedContent? { state.withLock { $0.devices.last?.content } }

    func received(_ snapshot: Baton_Link_V1_FrontSnapshot, from device: DeviceID) {
        let content = snapshot.hasContent ? RequestedContent(snapshot.content, device: name(device)) : nil
        state.withLock { state in
            // The same again is no change.
            if let content, state.devices.contains(where: { $0.device == device && $0.content == content }) { return }
            state.devices.removeAll { $0.device == device }
            if let content { state.devices.append((device, content)) }
        }
    }

    func disconnected(_ device: DeviceID) { state.withLock { $0.devices.removeAll { $0.device == device } } }
}

extension Baton_Link_V1_FrontSnapshot {
    /// - Parameter content: nil for nothing that another device may know.
    init(_ content: RequestedContent?) {
        self.init()
        guard let content else { return }
        self.content = .with {
            $0.app = .init(content.app)
            $0.appName = content.appName.shortened(toBytes: 256)
            $0.activityID = content.activity.rawValue
            $0.activityType = content.type.rawValue
            if let title = content.title { $0.title = title.shortened(toBytes: 256) }
            // A page that is cut would be another one.
            if let page = content.page.flatMap(WebPage.fromOtherDevice)?.text, page.utf8.count <= 4096 {
                $0.webpageURL = page
            }
            if let place = content.place {
                $0.place = .with {
                    $0.name = place.name.shortened(toBytes: 256)
                    $0.telephone = place.telephone.map { $0.utf8.count <= 64 ? $0 : "" } ?? ""
                    $0.address = place.address?.shortened(toBytes: 512) ?? ""
                    $0.noNavigation = !place.supportsNavigation
                    $0.noPhoneCall = !place.supportsPhoneCall
                }
            }
            // So that the topic stays within its 8 KiB.
            $0.people = content.people.prefix(6).map(\.messageForOtherDevice)
        }
    }
}

extension RequestedContent {
    /// Nil for what breaks a rule.
    init?(_ message: Baton_Link_V1_FrontContent, device: String) {
        guard let app = try? AppIdentity(message.app), let activity = ActivityID(rawValue: message.activityID),
            let type = ActivityType(rawValue: message.activityType), !message.appName.isEmpty
        else { return nil }
        let name = message.place.name.shownLine(toBytes: 256)
        self.init(
            app: app, appName: message.appName.shownLine(toBytes: 256), activity: activity, type: type,
            title: message.hasTitle ? message.title.shownLine(toBytes: 256) : nil,
            page: WebPage.fromOtherDevice(message.webpageURL)?.text,
            place: message.hasPlace && !name.isEmpty
                ? RequestedPlace(
                    id: "", name: name,
                    telephone: message.place.telephone.isEmpty ? nil : message.place.telephone,
                    address: message.place.address.isEmpty ? nil : message.place.address.shownLine(toBytes: 512),
                    source: "\(message.appName.shownLine(toBytes: 256)) on \(device)",
                    supportsNavigation: !message.place.noNavigation, supportsPhoneCall: !message.place.noPhoneCall)
                : nil,
            people: ShownPerson.people(message.people, isOwn: false), device: device.shownLine(toBytes: 256))
    }
}
