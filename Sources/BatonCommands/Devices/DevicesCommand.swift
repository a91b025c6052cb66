import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton devices`
struct DevicesCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices of the account.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let devices = try await session.call(ControlMethods.listDevices, .with { $0.confirm = true }).devices
        try session.emit(json: ["devices": .array(devices.map(Self.json))], text: text(devices, session))
    }

    static func json(_ device: Baton_Control_V1_Device) -> JSONValue {
        [
            "device_id": .string(device.deviceID), "name": .init(nonEmpty: device.name),
            "this_device": .boolean(device.thisDevice), "connected": .boolean(device.connected),
            "revoked": .boolean(device.revoked), "last_seen_ms": .init(nonZero: device.lastSeen),
            "added_ms": .init(nonZero: device.added), "addresses": .init(strings: device.addresses),
            "software_version": .init(nonEmpty: device.softwareVersion), "recovery_key": .boolean(device.recoveryKey),
        ]
    }

    private func text(_ devices: [Baton_Control_V1_Device], _ session: CommandSession) -> String {
        guard !devices.isEmpty else {
            return
                "No devices: this one belongs to no account. Make one with “baton account create” or join with “baton "
                + "pair”."
        }
        var table = session.table([
            .init("NAME", isFlexible: true), .init("STATE"), .init("ADDRESS", isFlexible: true), .init("ID"),
        ])
        let length = ShownIdentifier.length(devices.map(\.deviceID))
        for device in devices {
            table.add(
                // A device known from the cloud only has not sent its name yet.
                device.name.isEmpty ? "(unknown)" : device.name, state(device, now: session.context.clock.now),
                device.addresses.first ?? "",
                String(device.deviceID.prefix(length)))
        }
        return table.render()
    }

    private func state(_ device: Baton_Control_V1_Device, now: Date) -> String {
        if device.revoked { return "revoked" }
        if device.thisDevice { return "this device" }
        if device.recoveryKey { return "on paper" }
        if device.connected { return "connected" }
        return device.lastSeen == 0
            ? "not seen yet" : "last seen \(TimeFormat.age(milliseconds: device.lastSeen, now: now))"
    }
}
