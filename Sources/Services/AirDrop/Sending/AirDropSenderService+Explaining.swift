import AirDropProtocol
import BatonCore
import BatonDiscovery
import BatonTrust
package import BatonWire
import Files
import Foundation
import SwiftProtobuf
import Synchronization

/// Why a device is not seen, or not reached.
extension AirDropSenderService {
    /// Receivers that are not reached in this time are said not to be.
    private static let looking = Duration.seconds(7)

    /// Looks for a device, by its name or the beginning of its identifier.
    /// - Returns: the device's name, and each stage on the way to it.
    package func explain(_ wanted: String) async throws -> (subject: String, stages: [Baton_Link_V1_Stage]) {
        guard !wanted.isEmpty else {
            throw BatonError(
                .invalidArgument, reason: "missing_device",
                "Name a device: by its name, or the beginning of its identifier.")
        }
        let own = devices.known().map { ($0, devices.name(of: $0)) }.sorted { $0.1 < $1.1 }
        let exact = own.first { $0.1.lowercased() == wanted.lowercased() || $0.0.rawValue == wanted }
        if let (device, name) = exact
            ?? own.first(where: {
                NearbyExplanation.matches(wanted, name: $0.1, id: $0.0.rawValue)
            })
        {
            return (name, stages(of: device, name))
        }
        let known = contacts.all
        let contact =
            known.first { $0.name.lowercased() == wanted.lowercased() || $0.id.rawValue == wanted }
            ?? known.first { NearbyExplanation.matches(wanted, name: $0.name, id: $0.id.rawValue) }
        if let contact {
            let findings = try await findings(of: contact)
            return (contact.name, ContactExplanation(name: contact.name, findings: findings).stages)
        }
        let explanation = NearbyExplanation(wanted: wanted, findings: try await findings(wanted))
        return (wanted, explanation.stages)
    }

    private func stages(of device: DeviceID, _ name: String) -> [Baton_Link_V1_Stage] {
        let own = Baton_Link_V1_Stage("account", .ok, "\(name) is one of the account's devices.")
        guard devices.nearby().contains(device) else {
            return [
                own,
                Baton_Link_V1_Stage(
                    "connected", .failed, "\(name) is not connected.",
                    "“baton explain device \(name)” says why."),
            ]
        }
        return [
            own,
            Baton_Link_V1_Stage(
                "connected", .ok, "It is connected, and reached without a port of AirDrop's."),
        ]
    }

    private func findings(_ wanted: String) async throws -> NearbyFindings {
        let trust = AirDropTrust.anybody(try AirDropTLS.clientContext())
        return try await findings(
            AirDropAnnouncement.type, trust, { _ in true }, { NearbyExplanation.matches(wanted, name: $0, id: "") })
    }

    private func findings(of contact: TrustedDevice) async throws -> NearbyFindings {
        try await findings(
            ContactBeacon.type, .contact(contact), { [self] in self.contact(of: $0)?.id == contact.id }, { _ in true })
    }

    /// - Parameters:
    ///   - isMeant: of an announcement; others are left out.
    ///   - isEnough: of the name that a device says.
    private func findings(
        _ type: String, _ trust: AirDropTrust, _ isMeant: @escaping @Sendable (DiscoveredService) -> Bool,
        _ isEnough: @escaping @Sendable (String) -> Bool
    ) async throws -> NearbyFindings {
        let findings = FoundReceivers()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [self] in
                try await withThrowingDiscardingTaskGroup { receivers in
                    for await event in discovery.browse(type: type) {
                        switch event {
                        case .found(let service):
                            guard !isOwn(service.instance), isMeant(service), findings.begin(service) else { continue }
                            receivers.addTask { [self] in
                                let answer = await answer(service, trust)
                                findings.end(service, answer)
                            }
                        case .unavailable(let reason): findings.set(obstacle: reason)
                        case .lost, .networkChanged, .nameTaken: continue
                        }
                    }
                }
                return true
            }
            group.addTask {
                for await name in findings.names where isEnough(name) { return true }
                return false
            }
            group.addTask {
                // sleeps: no event says that a device is not there.
                try await Task.sleep(for: Self.looking)
                return true
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next() { if isOver { return } }
        }
        return findings.all
    }
}

/// The receivers that were found, at most ``maximum``. Policy: more are left out.
private final class FoundReceivers: Sendable {
    private static let maximum = 64

    private let findings = Mutex(NearbyFindings())
    let names: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (names, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(Self.maximum))
    }

    var all: NearbyFindings { findings.withLock { $0 } }

    func set(obstacle: String) { findings.withLock { $0.obstacle = obstacle } }

    /// - Returns: whether it is a new one.
    func begin(_ service: DiscoveredService) -> Bool {
        findings.withLock { findings in
            guard findings.receivers.count < Self.maximum,
                !findings.receivers.contains(where: { $0.instance == service.instance })
            else { return false }
            let address = service.addresses.first
            findings.receivers.append(
                NearbyFindings.Receiver(
                    instance: service.instance, address: address?.description ?? "an unknown address",
                    port: address?.port ?? 0))
            return true
        }
    }

    func end(_ service: DiscoveredService, _ answer: Result<DiscoverAnswer, any Error>) {
        let name = findings.withLock { findings -> String? in
            guard let index = findings.receivers.firstIndex(where: { $0.instance == service.instance }) else {
                return nil
            }
            switch answer {
            case .success(let answer):
                findings.receivers[index].hasAnswered = true
                findings.receivers[index].name = answer.computerName.map { SafeName.display($0) }
            case .failure(let error):
                findings.receivers[index].problem = (error as? BatonError)?.message
            }
            return findings.receivers[index].name
        }
        if let name { continuation.yield(name) }
    }
}
