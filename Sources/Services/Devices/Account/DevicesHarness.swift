package import BatonCore
package import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
package import Peers
import SwiftProtobuf

/// Speaks the parts of `baton.control.v1.ControlService` that are about devices.
package struct DevicesHarness: Sendable {
    private let account: AccountService
    private let pairing: PairingService
    private let presence: any PresenceSource
    private let spreadMembership: @Sendable (Duration) async -> [DeviceID]
    private let tellCloud: @Sendable (Duration) async -> Bool
    private let accountLeft: @Sendable () async -> Void
    private let lastSeen: @Sendable (DeviceID) -> UInt64?
    private let confirm: @Sendable (DeviceID) async -> Void
    private let defaultDeviceName: String
    private let recoveryCloud: (any RecoveryCloud)?

    /// - Parameters:
    ///   - spreadMembership: sends the connected devices the account's membership now, and says which took it within
    ///     the time.
    ///   - tellCloud: sends the account's cloud the membership now, and says whether it took it within the time.
    ///   - accountLeft: awaited after this device left its account, before the caller is answered.
    ///   - lastSeen: when a device was last connected, in milliseconds since 1970.
    ///   - confirm: returns once a connected device has answered, or is connected no more.
    ///   - defaultDeviceName: of a device whose person named none.
    ///   - recoveryCloud: nil where accounts cannot be recovered: the method is not served then.
    package init(
        account: AccountService, pairing: PairingService, presence: any PresenceSource,
        spreadMembership: @escaping @Sendable (Duration) async -> [DeviceID] = { _ in [] },
        tellCloud: @escaping @Sendable (Duration) async -> Bool = { _ in false },
        accountLeft: @escaping @Sendable () async -> Void = {},
        lastSeen: @escaping @Sendable (DeviceID) -> UInt64? = { _ in nil },
        confirm: @escaping @Sendable (DeviceID) async -> Void = { _ in },
        defaultDeviceName: String = DevicesHarness.hostName, recoveryCloud: (any RecoveryCloud)? = nil
    ) {
        self.account = account
        self.pairing = pairing
        self.presence = presence
        self.spreadMembership = spreadMembership
        self.tellCloud = tellCloud
        self.accountLeft = accountLeft
        self.lastSeen = lastSeen
        self.confirm = confirm
        self.defaultDeviceName = defaultDeviceName
        self.recoveryCloud = recoveryCloud
    }

    /// The machine's name without its domain.
    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, whatever is written.
        gethostname(&buffer, buffer.count - 1)
        let bytes = buffer.lazy.map { UInt8(bitPattern: $0) }
        let name = String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }, as: UTF8.self)
        return (try? DeviceProfiles.validName(name)) ?? "Device"
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.createAccount) { request, _ in try await createAccount(request) }
        router.unary(ControlMethods.leaveAccount) { _, _ in try await leaveAccount() }
        router.unary(ControlMethods.listDevices) { request, _ in try await listDevices(request) }
        router.unary(ControlMethods.renameDevice) { request, _ in try await renameDevice(request) }
        router.unary(ControlMethods.revokeDevice) { request, _ in try await revokeDevice(request) }
        router.unary(ControlMethods.createRecoveryKey) { _, _ in try await createRecoveryKey() }
        if let recoveryCloud {
            router.unary(ControlMethods.checkRecoveryKey) { request, _ in
                try await checkRecoveryKey(request, with: recoveryCloud)
            }
            router.unary(ControlMethods.recoverAccount) { request, _ in
                try await recoverAccount(request, from: recoveryCloud)
            }
        }
        router.serverStream(ControlMethods.pair) { request, _, writer in
            try await pair(request) { try await writer.write($0) }
        }
        router.unary(ControlMethods.confirmPairing) { request, _ in try confirmPairing(request) }
    }

    func createAccount(
        _ request: Baton_Control_V1_CreateAccountRequest
    ) async throws -> Baton_Control_V1_CreateAccountResponse {
        let snapshot = try await account.createAccount(deviceName: deviceName(request.deviceName))
        return .with {
            $0.accountID = snapshot.accountID.rawValue
            $0.deviceID = snapshot.deviceID.rawValue
        }
    }

    /// Runs to its end when the caller goes away: a device that announced that it leaves has left.
    func leaveAccount() async throws -> Baton_Control_V1_LeaveAccountResponse {
        let names = account.snapshot()
        // A task of its own, so that it is not cancelled; awaited here.
        let (left, told, isCloudTold) = try await Task { [account, spreadMembership, tellCloud, accountLeft] in
            let (left, told) = try await account.leave {
                async let isCloudTold = tellCloud(.seconds(5))
                let devices = await spreadMembership(.seconds(2))
                return (devices: devices, cloud: await isCloudTold)
            }
            await accountLeft()
            return (left, told.devices, told.cloud)
        }.value
        return .with {
            $0.accountID = left.rawValue
            $0.told = told.map { names?.name(of: $0) ?? $0.rawValue }.sorted()
            $0.cloudTold = isCloudTold
        }
    }

    /// This device first, then the others by name, revoked ones last.
    func listDevices(
        _ request: Baton_Control_V1_ListDevicesRequest = .init()
    ) async throws -> Baton_Control_V1_ListDevicesResponse {
        if request.confirm {
            await withDiscardingTaskGroup { group in
                for device in presence.connections().keys { group.addTask { await confirm(device) } }
            }
        }
        guard let snapshot = account.snapshot() else { throw AccountService.noAccount }
        let connections = presence.connections()
        let members = snapshot.membership.members().keys
        let ids = Set(members).union(snapshot.membership.revoked).union([snapshot.deviceID])
        let devices = ids.map { device($0, snapshot, connections[$0]) }.sorted { left, right in
            if left.thisDevice != right.thisDevice { return left.thisDevice }
            if left.revoked != right.revoked { return right.revoked }
            if left.recoveryKey != right.recoveryKey { return right.recoveryKey }
            return (left.name, left.deviceID) < (right.name, right.deviceID)
        }
        return .with { $0.devices = devices }
    }

    private func device(
        _ id: DeviceID, _ snapshot: AccountSnapshot, _ connection: PresenceConnection?
    ) -> Baton_Control_V1_Device {
        .with {
            $0.deviceID = id.rawValue
            $0.name = snapshot.profiles.name(of: id) ?? ""
            $0.recoveryKey = snapshot.profiles.isRecoveryKey(id)
            $0.thisDevice = id == snapshot.deviceID
            $0.connected = connection != nil
            $0.revoked = !snapshot.membership.isMember(id)
            let connected = connection.map { UInt64(max(0, $0.lastSeen.timeIntervalSince1970 * 1000)) }
            $0.lastSeen = connected ?? ($0.revoked ? nil : lastSeen(id)) ?? 0
            $0.addresses = connection?.address.map { [$0.description] } ?? []
            $0.softwareVersion = connection?.softwareVersion ?? ""
            $0.added = snapshot.membership.record(of: id)?.added.milliseconds ?? 0
        }
    }

    func renameDevice(
        _ request: Baton_Control_V1_RenameDeviceRequest
    ) async throws -> Baton_Control_V1_RenameDeviceResponse {
        guard let own = account.snapshot()?.deviceID else { throw AccountService.noAccount }
        if !request.device.isEmpty, try account.device(named: request.device) != own {
            throw BatonError(
                .permissionDenied, reason: "not_this_device",
                "Each device names itself. Run “baton device rename” on that device.")
        }
        try await account.rename(to: request.name)
        return Baton_Control_V1_RenameDeviceResponse()
    }

    func revokeDevice(
        _ request: Baton_Control_V1_RevokeDeviceRequest
    ) async throws -> Baton_Control_V1_RevokeDeviceResponse {
        let device = try account.device(named: request.device)
        try await account.revoke(device)
        let told = await spreadMembership(.seconds(2)).sorted()
        let names = account.snapshot()
        return .with {
            $0.deviceID = device.rawValue
            $0.deviceName = names?.name(of: device) ?? ""
            $0.told = told.map(\.rawValue)
            $0.toldNames = told.map { names?.name(of: $0) ?? $0.rawValue }
        }
    }

    func createRecoveryKey() async throws -> Baton_Control_V1_CreateRecoveryKeyResponse {
        let code = try await account.makeRecoveryKey()
        let device = DeviceID(key: try code.key().publicKey)
        _ = await spreadMembership(.seconds(2))
        return .with {
            $0.deviceID = device.rawValue
            $0.code = code.text
        }
    }

    /// Reads all that recovering would, with nothing but the code.
    func checkRecoveryKey(
        _ request: Baton_Control_V1_CheckRecoveryKeyRequest, with cloud: any RecoveryCloud
    ) async throws -> Baton_Control_V1_CheckRecoveryKeyResponse {
        let code = try RecoveryCode(typed: request.code)
        guard let snapshot = account.snapshot() else { throw AccountService.noAccount }
        guard code.account == snapshot.accountID else {
            throw BatonError(
                .invalidArgument, reason: "other_account", "This recovery key is for another account.")
        }
        guard let endpoint = account.cloudEndpoint() else {
            throw BatonError(
                .failedPrecondition, reason: "no_cloud",
                "This account has no cloud, and is recovered from there. Give it one with “baton cloud login URL”.")
        }
        let data = try await cloud.fetch(code.account, as: try code.key(), at: endpoint)
        _ = try code.recover(statements: data.statements, envelopes: data.contentKeys)
        return .with {
            $0.cloudURL = endpoint.url ?? ""
            $0.cloudCertificate = Data(endpoint.certificate ?? [])
        }
    }

    func recoverAccount(
        _ request: Baton_Control_V1_RecoverAccountRequest, from cloud: any RecoveryCloud
    ) async throws -> Baton_Control_V1_RecoverAccountResponse {
        let code = try RecoveryCode(typed: request.code)
        let certificate = request.cloudCertificate.isEmpty ? nil : Array(request.cloudCertificate)
        let endpoint = try CloudEndpoint(url: request.cloudURL, certificate: certificate, timestamp: .zero)
        try endpoint.checkAddress()
        guard account.standing != .member else { throw AccountService.hasAccount }
        let key = try code.key()
        let data = try await cloud.fetch(code.account, as: key, at: endpoint)
        let snapshot = try await account.recoverAccount(
            code, statements: data.statements, contentKeys: data.contentKeys,
            deviceName: deviceName(request.deviceName), cloud: (request.cloudURL, certificate),
            check: { recovered in
                guard !request.here else { return }
                try await recovered.checkCloud(is: endpoint) { item, zone in
                    try await cloud.item(item, of: zone, code.account, as: key, at: endpoint)
                }
            },
            publish: { try await cloud.publish($0, of: code.account, as: key, at: endpoint) })
        return .with {
            $0.accountID = snapshot.accountID.rawValue
            $0.deviceID = snapshot.deviceID.rawValue
        }
    }

    func pair(
        _ request: Baton_Control_V1_PairRequest,
        write: @escaping @Sendable (Baton_Control_V1_PairingEvent) async throws -> Void
    ) async throws {
        let seconds = Duration.seconds(Int64(request.timeoutSeconds))
        guard seconds <= PairingService.maximumTimeout else {
            throw BatonError(
                .invalidArgument, reason: "invalid_timeout", "A pairing may take one hour at most (3600 seconds).")
        }
        let options = PairingService.Options(
            deviceName: deviceName(request.deviceName), address: request.address, label: request.label,
            timeout: seconds > .zero ? seconds : PairingService.defaultTimeout)
        try await pairing.pair(options) { try await write(Self.message($0)) }
    }

    func confirmPairing(
        _ request: Baton_Control_V1_ConfirmPairingRequest
    ) throws(BatonError) -> Baton_Control_V1_ConfirmPairingResponse {
        // A bare "yes" could be anybody's, and of any code: consent names the code that was shown.
        guard !request.same || !request.typedCode.isEmpty else {
            throw BatonError(
                .invalidArgument, reason: "code_required",
                "A confirmation must hold the code that was shown (typed_code).")
        }
        try pairing.confirm(request.typedCode.isEmpty ? .different : .typed(request.typedCode))
        return Baton_Control_V1_ConfirmPairingResponse()
    }

    private func deviceName(_ name: String) -> String { name.isEmpty ? defaultDeviceName : name }

    static func message(_ event: PairingEvent) -> Baton_Control_V1_PairingEvent {
        .with {
            switch event {
            case .waiting(let label, let addresses):
                $0.waiting.label = label
                $0.waiting.addresses = addresses
            case .looking:
                $0.looking = Baton_Control_V1_PairingLooking()
            case .attemptEnded(let reason, let message):
                $0.attemptEnded.reason = reason
                $0.attemptEnded.message = message
            case .sponsor(let sponsor):
                $0.sponsor.label = sponsor.label
                $0.sponsor.sameAccount = sponsor.isOfSameAccount
                $0.sponsor.deviceName = sponsor.name
            case .candidates(let labels):
                $0.candidates.labels = labels
            case .code(let code):
                $0.code.code = code
            case .done(let account, let device, let name):
                $0.done.accountID = account.rawValue
                $0.done.deviceID = device.rawValue
                $0.done.deviceName = name
            case .added(let contact, let name):
                $0.done.deviceID = contact.rawValue
                $0.done.deviceName = name
            }
        }
    }
}
