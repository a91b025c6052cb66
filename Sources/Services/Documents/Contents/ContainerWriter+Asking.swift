import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// Questions to the devices that are near. One that has gone counts as near for up to a minute, and then holds up no other one.
extension ContainerWriter {
    /// Once a device has answered as it was hoped, the others have so long.
    private static let courtesy = Duration.seconds(1)

    /// How long it is worth waiting for further answers.
    enum FurtherAnswers { case wanted, welcome, needless }

    /// Asks all devices that are near at once whether they have a content.
    /// - Parameter take: gets the answers one after the other, as they come.
    func findContent(
        _ key: Baton_Link_V1_ContentName, take: (DeviceID, _ isWhole: Bool) async -> FurtherAnswers
    ) async {
        let (zone, peers) = (name.zone.message, ports.peers)
        let devices = peers.nearby()
        guard !devices.isEmpty else { return }
        let (answers, answer) = AsyncStream.makeStream(of: (device: DeviceID, isWhole: Bool?).self)
        // Unstructured: one that hangs while it connects would be awaited. Each is cancelled when this returns, and ends by its
        // timeout at the latest.
        let tasks = devices.map { device in
            Task {
                let found = try? await peers.call(
                    DocumentLinkMethods.findContents,
                    .with {
                        $0.zone = zone
                        $0.contents = [key]
                    }, device, Self.askTimeout)
                answer.yield((device, found.map { $0.whole.first == true }))
            }
        }
        var timer: DeadlineTimer.Entry?
        defer {
            if let timer { DeadlineTimer.shared.cancel(timer) }
            for task in tasks { task.cancel() }
        }
        var count = 0
        for await (device, isWhole) in answers {
            count += 1
            if let isWhole {
                switch await take(device, isWhole) {
                case .wanted: break
                case .welcome:
                    if timer == nil { timer = DeadlineTimer.shared.schedule(after: Self.courtesy) { answer.finish() } }
                case .needless: return
                }
            }
            if count == devices.count { return }
        }
    }

    /// Asks the devices that are near to keep contents, one after the other as they answer.
    /// - Returns: those that the first device keeps that keeps any. Nil: no device has answered.
    func askToKeep(_ contents: [Baton_Link_V1_ContentToKeep]) async -> Set<ContentHash>? {
        guard let key = contents.first?.content else { return nil }
        var kept: Set<ContentHash>?
        await findContent(key) { device, _ in
            kept = await ask(device, contents) ?? kept
            return kept?.isEmpty ?? true ? .welcome : .needless
        }
        return kept
    }
}
