import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Foundation
import Peers
import SwiftProtobuf
import Synchronization
import Testing

@testable import Devices

@Suite("Devices harness")
struct DevicesHarnessTests {
    private struct Presence: PresenceSource {
        var present: [DeviceID: PresenceConnection] = [:]
        func connections() -> [DeviceID: PresenceConnection] { present }
        func events() -> AsyncStream<PresenceEvent> { AsyncStream { $0.finish() } }
    }

    private func harness(_ device: VirtualDevice, present: [DeviceID: PresenceConnection] = [:]) -> DevicesHarness {
        let run = pairing(device, PairingNetwork(), ManualSleep())
        return DevicesHarness(
            account: device.account, pairing: run.service, presence: Presence(present: present),
            spreadMembership: { _ in Array(present.keys) }, defaultDeviceName: "Default")
    }

    @Test("Every method about devices is served")
    func registers() async throws {
        var router = ConnectRouter()
        harness(try await VirtualDevice()).register(on: &router)
        #expect(
            router.paths
                == [
                    "ConfirmPairing", "CreateAccount", "CreateRecoveryKey", "LeaveAccount", "ListDevices", "Pair",
                    "RenameDevice", "RevokeDevice",
                ].map { "/baton.control.v1.ControlService/\($0)" })
    }

    @Test("Devices are listed, renamed and revoked")
    func devices() async throws {
        let (first, second) = (try await VirtualDevice(), try await VirtualDevice())
        let empty = harness(first)
        #expect(await reason { _ = try await empty.listDevices() } == "no_account")
        #expect(await reason { _ = try await empty.renameDevice(.init()) } == "no_account")
        let created = try await empty.createAccount(.init())
        #expect(created.deviceID == (try first.id.rawValue))
        try await first.admit(second)
        let address = DiscoveredAddress(host: "192.0.2.1", port: 7, interface: "eth0")
        let connection = PresenceConnection(
            device: try second.id, address: address, interface: "eth0", since: Date(),
            lastSeen: Date(timeIntervalSince1970: 5), softwareVersion: "1.2", dialledHere: true)
        let harness = harness(first, present: [try second.id: connection])

        var devices = try await harness.listDevices().devices
        #expect(devices.map(\.name) == ["Default", "Second"])
        #expect(devices.map(\.thisDevice) == [true, false])
        #expect(devices.map(\.connected) == [false, true])
        #expect(devices[1].addresses == ["192.0.2.1:7"] && devices[1].lastSeen == 5000)
        #expect(devices[1].softwareVersion == "1.2" && devices[1].added > 0)

        _ = try await harness.renameDevice(.with { $0.name = "Desk" })
        #expect(
            await reason {
                _ = try await harness.renameDevice(
                    .with {
                        $0.device = "Second"
                        $0.name = "x"
                    })
            } == "not_this_device")
        #expect(
            await reason { _ = try await harness.renameDevice(.with { $0.name = "a\nb" }) } == "invalid_device_name")
        let revoked = try await harness.revokeDevice(.with { $0.device = "Second" })
        #expect(revoked.deviceID == (try second.id.rawValue) && revoked.told == [revoked.deviceID])
        #expect(
            await reason { _ = try await harness.revokeDevice(.with { $0.device = "Desk" }) } == "cannot_revoke_itself")
        devices = try await harness.listDevices().devices
        #expect(devices.map(\.name) == ["Desk", "Second"])
        #expect(devices.map(\.revoked) == [false, true])
    }

    /// Devices that are let go once they were asked.
    private final class Vanishing: PresenceSource {
        private let present: Mutex<[DeviceID: PresenceConnection]>

        init(_ present: [DeviceID: PresenceConnection]) { self.present = Mutex(present) }

        func connections() -> [DeviceID: PresenceConnection] { present.withLock { $0 } }
        func events() -> AsyncStream<PresenceEvent> { AsyncStream { $0.finish() } }
        func ask(_ device: DeviceID) { present.withLock { $0[device] = nil } }
    }

    @Test("Connected devices are asked before they are listed, where it is wanted: one that vanished is not among them")
    func vanished() async throws {
        let (first, second) = (try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        let id = try second.id
        let presence = Vanishing([
            id: PresenceConnection(
                device: id, address: nil, interface: "", since: Date(), lastSeen: Date(), softwareVersion: "",
                dialledHere: true)
        ])
        let harness = DevicesHarness(
            account: first.account, pairing: pairing(first, PairingNetwork(), ManualSleep()).service,
            presence: presence, confirm: { presence.ask($0) })
        #expect(try await harness.listDevices().devices.map(\.connected) == [false, true])
        let asked = try await harness.listDevices(.with { $0.confirm = true })
        #expect(asked.devices.map(\.connected) == [false, false])
    }

    @Test("A confirmation without a pairing is refused, and so is a pairing without end")
    func confirmations() async throws {
        let harness = harness(try await VirtualDevice())
        #expect(await reason { _ = try harness.confirmPairing(.with { $0.typedCode = "123456" }) } == "not_pairing")
        #expect(await reason { _ = try harness.confirmPairing(.init()) } == "not_pairing")
        #expect(
            await reason { try await harness.pair(.with { $0.timeoutSeconds = 3601 }) { _ in } } == "invalid_timeout")
        #expect(
            await reason { try await harness.pair(.with { $0.address = "nonsense" }) { _ in } } == "invalid_address")
    }

    @Test("Confirming the code on both sides, over the wire's messages, ends in one account (H-2); a bare yes does not")
    func pairs() async throws {
        let (first, second) = (try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        let network = PairingNetwork()
        let (sponsor, joiner) = (pairing(first, network, ManualSleep()), pairing(second, network, ManualSleep()))
        let (one, other) = (
            DevicesHarness(account: first.account, pairing: sponsor.service, presence: Presence()),
            DevicesHarness(account: second.account, pairing: joiner.service, presence: Presence())
        )
        let codes = Promise<String>()
        let done = Promise<Baton_Control_V1_PairingDone>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await one.pair(.init()) { event in
                    if case .code(let code)? = event.kind { codes.settle(.success(code.code)) }
                    if case .done(let end)? = event.kind { done.settle(.success(end)) }
                }
            }
            group.addTask {
                try await other.pair(.with { $0.deviceName = "Second" }) { event in
                    guard case .code(let shown)? = event.kind else { return }
                    #expect(try await codes.value() == shown.code)
                    _ = try other.confirmPairing(.with { $0.typedCode = shown.code })
                    let error = #expect(throws: BatonError.self) {
                        _ = try one.confirmPairing(.with { $0.same = true })
                    }
                    #expect(error?.reason == "code_required")
                    _ = try one.confirmPairing(.with { $0.typedCode = shown.code })
                }
            }
            try await group.waitForAll()
        }
        let end = try await done.value()
        #expect(end.accountID == second.account.snapshot()?.accountID.rawValue)
        #expect(end.deviceID == (try second.id.rawValue) && end.deviceName == "Second")
    }

    @Test("This machine's name is a device's name")
    func hostName() {
        #expect((try? DeviceProfiles.validName(DevicesHarness.hostName)) == DevicesHarness.hostName)
    }
}
