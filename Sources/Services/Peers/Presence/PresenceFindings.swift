import BatonCore
import BatonDiscovery
import BatonWire
import Foundation

/// The last that was found of each stage on the way to a device, for `baton explain`.
///
/// Bounded: by the instances that discovery tracks, and the devices of the account.
struct PresenceFindings {
    private static let maximumInstances = 256

    /// The findings about one announcement.
    struct Instance {
        var device: DeviceID?
        /// TLS, or the device itself over TLS, proved whose it is; otherwise only the announcement did.
        var isProven = false
        var isOurs: Bool
        var addresses: [DiscoveredAddress]
        var seenAt: Date
        var lostAt: Date?
        var failure: (error: BatonError, at: Date)?
    }

    struct Device {
        var lastDial: (address: DiscoveredAddress?, at: Date, wasInbound: Bool)?
        var hello: (version: String, at: Date)?
        var refusal: (error: BatonError, at: Date)?
        var connectedAt: Date?
        var disconnected: (reason: String, at: Date)?
        var isConnected = false
    }

    /// Why multicast does not work now.
    var obstacle: String?
    /// When a device that knows the account last refused this one's certificate, since one was connected.
    var refusedAt: Date?
    private(set) var instances: [String: Instance] = [:]
    private(set) var devices: [DeviceID: Device] = [:]

    func instances(of device: DeviceID) -> [String] {
        instances.filter { $0.value.device == device && $0.value.lostAt == nil }
            .sorted { ($0.value.seenAt, $0.key) > ($1.value.seenAt, $1.key) }.map(\.key)
    }

    /// Where a device of the account is announced that no connection can be made to.
    var unreachable: DiscoveredAddress? {
        instances.values.filter { instance in
            let isConnected = instance.device.flatMap { devices[$0]?.isConnected } ?? false
            return instance.isOurs && instance.lostAt == nil && !isConnected
                && (instance.failure.map { Self.isOfNetwork($0.error) } ?? false)
        }
        .max { $0.seenAt < $1.seenAt }?.addresses.first
    }

    /// Rather than a refusal by the other side.
    static func isOfNetwork(_ error: BatonError) -> Bool {
        switch error.code {
        case .unauthenticated, .permissionDenied: false
        default: true
        }
    }

    mutating func recognised(_ service: DiscoveredService, _ recognition: LinkNaming.Recognition, at now: Date) {
        if instances[service.instance] == nil { makeRoom() }
        var instance =
            instances[service.instance] ?? Instance(isOurs: false, addresses: service.addresses, seenAt: now)
        instance.isOurs = recognition != .stranger
        if case .member(let device?) = recognition, !instance.isProven { instance.device = device }
        instance.addresses = service.addresses
        instance.lostAt = nil
        instances[service.instance] = instance
    }

    mutating func lost(_ name: String, at now: Date) { instances[name]?.lostAt = now }

    mutating func learned(_ name: String, of device: DeviceID) {
        guard let instance = instances[name], !instance.isProven else { return }
        instances[name]?.device = device
        instances[name]?.isProven = true
    }

    mutating func dialled(_ name: String, peer: DeviceID, _ address: DiscoveredAddress, at now: Date) {
        instances[name]?.device = peer
        instances[name]?.isProven = true
        instances[name]?.failure = nil
        devices[peer, default: Device()].lastDial = (address, now, false)
    }

    mutating func dialledHere(_ peer: DeviceID, from address: DiscoveredAddress?, at now: Date) {
        devices[peer, default: Device()].lastDial = (address, now, true)
    }

    mutating func dialFailed(_ name: String, addresses: [DiscoveredAddress], _ error: BatonError, at now: Date) {
        instances[name]?.failure = (error, now)
    }

    mutating func greeted(_ peer: DeviceID, _ hello: Baton_Link_V1_Hello, at now: Date) {
        devices[peer, default: Device()].hello = (hello.softwareVersion, now)
        devices[peer]?.refusal = nil
    }

    mutating func refusedHello(_ peer: DeviceID, _ error: BatonError, at now: Date) {
        devices[peer, default: Device()].refusal = (error, now)
    }

    /// - Parameter error: why, when it was an error.
    mutating func ended(_ peer: DeviceID, _ error: BatonError?, at now: Date) {
        let refusals = ["protocol_too_old", "not_a_member", "not_a_member_there", "revoked_here", "hello_missing"]
        guard let error, refusals.contains(error.reason) else { return }
        devices[peer, default: Device()].refusal = (error, now)
    }

    mutating func connected(_ device: DeviceID, at now: Date) {
        devices[device, default: Device()].isConnected = true
        devices[device]?.connectedAt = now
        refusedAt = nil
        devices[device]?.refusal = nil
    }

    mutating func disconnected(_ device: DeviceID, reason: String, at now: Date) {
        devices[device, default: Device()].isConnected = false
        devices[device]?.disconnected = (reason, now)
    }

    private mutating func makeRoom() {
        guard instances.count >= Self.maximumInstances else { return }
        // Strangers first: they may announce as much as they like.
        let oldest = instances.min { left, right in
            (left.value.isOurs ? 1 : 0, left.value.lostAt ?? .distantFuture, left.value.seenAt) < (
                right.value.isOurs ? 1 : 0, right.value.lostAt ?? .distantFuture, right.value.seenAt
            )
        }
        if let oldest { instances[oldest.key] = nil }
    }
}
