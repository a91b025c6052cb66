package import BatonCore
package import BatonTrust
import Synchronization

/// Pairs this device with another: lets one in, joins, or makes it a contact.
package final class PairingService: Sendable {
    package static let defaultTimeout: Duration = .seconds(120)
    package static let maximumTimeout: Duration = .seconds(3600)

    /// The person's request.
    package struct Options: Sendable {
        /// This device's name, when it joins.
        package var deviceName: String
        /// `host:port` of the other device; empty to look for it.
        package var address: String
        /// The other device's label; empty for any.
        package var label: String
        package var timeout: Duration

        package init(
            deviceName: String, address: String = "", label: String = "",
            timeout: Duration = PairingService.defaultTimeout
        ) {
            self.deviceName = deviceName
            self.address = address
            self.label = label
            self.timeout = timeout
        }
    }

    private enum Running {
        case sponsor(SponsorPairing)
        case joiner(JoinerPairing)
        case contact(ContactPairing)
    }

    private let account: AccountService
    private let ports: PairingPorts
    private let environment: AccountEnvironment
    private let recorder: any EventRecorder
    private let running: Mutex<Running?> = Mutex(nil)

    package init(
        account: AccountService, ports: PairingPorts, environment: AccountEnvironment = .system,
        recorder: any EventRecorder = NullEventRecorder()
    ) {
        self.account = account
        self.ports = ports
        self.environment = environment
        self.recorder = recorder
    }

    /// Pairs until it succeeds, fails, or the calling task is cancelled. A device with an account lets another in; one
    /// without, or that was revoked, joins.
    /// - Parameter emit: receives each step; an error that it throws ends the pairing.
    /// - Throws: `failed_precondition` when this device pairs already.
    package func pair(
        _ options: Options, emit: @escaping @Sendable (PairingEvent) async throws -> Void
    ) async throws {
        // Sent once this pairing is over, so that the receiver may begin the next one at once.
        try await emit(try await paired(options, emit: emit))
    }

    private func paired(_ options: Options, emit: @escaping PairingEmitter) async throws -> PairingEvent {
        let host = AccountPairingHost(account: account)
        if account.standing == .member {
            // A person who names another device means to join it.
            guard options.address.isEmpty, options.label.isEmpty else { throw Self.lettingIn }
            let sponsor = SponsorPairing(host: host, ports: ports, environment: environment, recorder: recorder)
            return try await alone(.sponsor(sponsor)) { try await sponsor.run(timeout: options.timeout, emit: emit) }
        }
        let target = try Self.target(options)
        let joiner = JoinerPairing(host: host, ports: ports, environment: environment, recorder: recorder)
        return try await alone(.joiner(joiner)) {
            try await joiner.run(target, deviceName: options.deviceName, timeout: options.timeout, emit: emit)
        }
    }

    /// This device's person answers whether the code that is shown is the same on both.
    /// - Throws: `failed_precondition` when none is; `permission_denied` when the codes differ, which ends the attempt.
    package func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        switch running.withLock({ $0 }) {
        case .sponsor(let sponsor): try sponsor.confirm(verdict)
        case .joiner(let joiner): try joiner.confirm(verdict)
        case .contact(let contact): try contact.confirm(verdict)
        case nil:
            throw BatonError(
                .failedPrecondition, reason: "not_pairing", "This device does not pair now. Run “baton pair” first.")
        }
    }

    /// Makes this device and another person's contacts of each other; both need to call it. With or without an account.
    /// - Parameters:
    ///   - deviceName: how the contact is to call this device.
    ///   - label: the one that the other device shows; empty for any.
    ///   - emit: receives each step; an error that it throws ends it.
    /// - Throws: `failed_precondition` when this device pairs already, or when several devices wait.
    package func addContact(
        to book: TrustedDeviceBook, deviceName: String, label: String, timeout: Duration,
        emit: @escaping @Sendable (PairingEvent) async throws -> Void
    ) async throws {
        let contact = ContactPairing(
            host: ContactPairingHost(book: book, deviceName: deviceName, environment: environment), ports: ports,
            environment: environment, recorder: recorder, label: label)
        let added = try await alone(.contact(contact)) { try await contact.run(timeout: timeout, emit: emit) }
        try await emit(added)
    }

    private func alone(_ pairing: Running, _ work: () async throws -> PairingEvent) async throws -> PairingEvent {
        let isFirst = running.withLock { running in
            guard running == nil else { return false }
            running = pairing
            return true
        }
        guard isFirst else {
            throw BatonError(
                .failedPrecondition, reason: "already_pairing",
                "This device pairs already. End that “baton pair” or “baton contacts add” first.")
        }
        defer { running.withLock { $0 = nil } }
        recorder.record("pairing", "started", "Pairing started.", [:])
        do {
            let result = try await work()
            recorder.record("pairing", "completed", "Pairing completed.", [:])
            return result
        } catch {
            let reason = (error as? BatonError)?.reason ?? "canceled"
            recorder.record("pairing", "ended", "Pairing ended without success.", ["reason": reason])
            throw error
        }
    }

    private static let lettingIn = BatonError(
        .alreadyExists, reason: "account_exists",
        "This device has an account, so it lets others in and joins none. If the other device is in the same account, they "
            + "are paired: see “baton devices”. Else run “baton account leave” on the one that is to join.")

    private static func target(_ options: Options) throws(BatonError) -> JoinerPairing.Target {
        if !options.address.isEmpty { return .addresses([try address(options.address)]) }
        return options.label.isEmpty ? .any : .label(options.label)
    }

    /// `host:port`, or `[address]:port` for IPv6.
    static func address(_ text: String) throws(BatonError) -> DiscoveredAddress {
        let separator = text.lastIndex(of: ":")
        var host = separator.map { String(text[..<$0]) } ?? ""
        let port = separator.flatMap { Int(text[text.index(after: $0)...]) } ?? 0
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            host = ""
        }
        guard !host.isEmpty, host.utf8.count <= 255, (1...65535).contains(port) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_address",
                "An address is written host:port, an IPv6 one [address]:port.")
        }
        return DiscoveredAddress(host: host, port: port, interface: "")
    }
}
