import BatonCore
import BatonDiscovery

/// Finds the device that waits for this one.
///
/// Findings are not believed: only the code that both devices show proves who it is.
struct SponsorFinder {
    /// Bound: devices kept while looking; more are ignored.
    static let maximumCandidates = 16

    let ports: PairingPorts
    let recorder: any EventRecorder

    private enum Event: Sendable {
        case discovery(DiscoveryEvent)
        case settled
    }

    /// The device with that label; or the only one there is, after a moment.
    /// - Throws: `failed_precondition` when there are several and none was named.
    func find(label: String?, _ emit: @escaping PairingEmitter) async throws -> DiscoveredService {
        // The bound of what `browse` coalesces already; the loop below never waits.
        let (events, queue) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [ports] in
                for await event in ports.discovery.browse(type: PairingPorts.serviceType) {
                    queue.yield(.discovery(event))
                }
            }
            var found: [String: DiscoveredService] = [:]
            var isSettling = false
            for await event in events {
                switch event {
                case .discovery(.found(let service)):
                    guard !service.addresses.isEmpty else { continue }
                    if let label {
                        if service.instance.uppercased() == label.uppercased() { return service }
                        continue
                    }
                    guard found[service.instance] != nil || found.count < Self.maximumCandidates else { continue }
                    found[service.instance] = service
                    if isSettling { continue }
                    isSettling = true
                    group.addTask { [ports] in
                        try await ports.sleep(JoinerPairing.settleTime)
                        queue.yield(.settled)
                    }
                case .discovery(.lost(let instance)): found[instance] = nil
                case .discovery(.networkChanged), .discovery(.nameTaken): break
                case .discovery(.unavailable(let reason)):
                    recorder.record(
                        "pairing", "discovery_unavailable", "Other devices cannot be found now.", ["reason": reason])
                case .settled:
                    isSettling = false
                    if found.count == 1, let only = found.values.first { return only }
                    if found.isEmpty { continue }
                    try await emit(.candidates(labels: found.keys.sorted()))
                    throw Self.several
                }
            }
            throw CancellationError()
        }
    }

    private static let several = BatonError(
        .failedPrecondition, reason: "several_devices_pair",
        "Several devices wait to pair. Say which with the label that it shows.")
}
