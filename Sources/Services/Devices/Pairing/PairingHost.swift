import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// The purpose of a pairing on this device: what is announced meanwhile, and what follows from a code that was confirmed.
protocol PairingHost: Sendable {
    var purpose: PairingPurpose { get }
    /// Under which the port is announced.
    var serviceType: String { get }

    func attributes(label: String) -> [String: String]
    /// Another device that waits as this one does, to be shown to the person; nil where that is as it should be.
    func other(label: String, attributes: [String: String]) -> OtherSponsor?

    /// The answering side: lets the other device in.
    /// - Returns: what it is answered, and what the person is shown.
    func admit(_ candidate: PairingCandidate) async throws -> (answer: any SwiftProtobuf.Message, done: PairingEvent)
    /// The asking side: takes the answer.
    /// - Parameter finish: gives the answer to the state machine.
    func join(
        key: P256.Signing.PrivateKey, deviceName: String,
        _ finish: ((inout JoinerPairingStateMachine) throws(BatonError) -> PairingAnswer) throws -> PairingAnswer,
        _ answer: Baton_Link_V1_ExchangePairingResponse
    ) async throws -> PairingEvent
}

/// The other side's answer, once it was opened.
enum PairingAnswer: Sendable {
    case account(Baton_Link_V1_JoinResponse)
    case contact(PairingCandidate)
}

/// A device joins the account.
struct AccountPairingHost: PairingHost {
    let account: AccountService

    let purpose = PairingPurpose.account
    let serviceType = PairingPorts.serviceType

    /// By these a device of the account sees that the two are paired already.
    func attributes(label: String) -> [String: String] {
        guard let snapshot = account.snapshot(), let key = snapshot.discoveryKeys.newest else { return [:] }
        return LinkTokens.attributes(
            instance: LinkTokens.pairingInstance(label: label), device: snapshot.deviceID, key: key)
    }

    func other(label: String, attributes: [String: String]) -> OtherSponsor? {
        guard let snapshot = account.snapshot(),
            case .ours(let device, _) = LinkTokens.recognise(
                instance: LinkTokens.pairingInstance(label: label), attributes: attributes,
                keys: snapshot.discoveryKeys.all, members: snapshot.membership.members().keys)
        else { return OtherSponsor(label: label, isOfSameAccount: false, name: "") }
        return OtherSponsor(label: label, isOfSameAccount: true, name: device.map(snapshot.name) ?? "")
    }

    func admit(_ candidate: PairingCandidate) async throws -> (answer: any SwiftProtobuf.Message, done: PairingEvent) {
        let response = try await account.admit(candidate.key, profile: candidate.profile)
        guard let snapshot = account.snapshot() else { throw AccountService.noAccount }
        return (response, .done(account: snapshot.accountID, device: candidate.deviceID, name: candidate.name))
    }

    func join(
        key: P256.Signing.PrivateKey, deviceName: String,
        _ finish: ((inout JoinerPairingStateMachine) throws(BatonError) -> PairingAnswer) throws -> PairingAnswer,
        _ answer: Baton_Link_V1_ExchangePairingResponse
    ) async throws -> PairingEvent {
        let opened = try finish { machine throws(BatonError) in .account(try machine.finish(with: answer)) }
        guard case .account(let response) = opened else { throw AccountService.noAccount }
        let snapshot = try await account.join(response, deviceKey: key, deviceName: deviceName)
        guard let sponsor = DeviceID(rawValue: response.sponsorDeviceID) else { throw AccountService.noAccount }
        return .done(account: snapshot.accountID, device: sponsor, name: snapshot.name(of: sponsor))
    }
}

/// Two devices of different people become contacts.
struct ContactPairingHost: PairingHost {
    let book: TrustedDeviceBook
    /// How the contact is to call this device.
    let deviceName: String
    let environment: AccountEnvironment

    let purpose = PairingPurpose.contact
    let serviceType = TrustedDeviceBook.pairingServiceType

    /// Nothing is known of the other device yet.
    func attributes(label: String) -> [String: String] { [:] }
    func other(label: String, attributes: [String: String]) -> OtherSponsor? { nil }

    func admit(_ candidate: PairingCandidate) async throws -> (answer: any SwiftProtobuf.Message, done: PairingEvent) {
        let key = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(
            name: deviceName,
            timestamp: HybridTimestamp(milliseconds: environment.clock.milliseconds, counter: 0), key: key)
        return (try candidate.answer(key: key, profile: profile), try add(candidate, key))
    }

    func join(
        key: P256.Signing.PrivateKey, deviceName: String,
        _ finish: ((inout JoinerPairingStateMachine) throws(BatonError) -> PairingAnswer) throws -> PairingAnswer,
        _ answer: Baton_Link_V1_ExchangePairingResponse
    ) async throws -> PairingEvent {
        let opened = try finish { machine throws(BatonError) in .contact(try machine.finishContact(with: answer)) }
        guard case .contact(let candidate) = opened else { throw AccountService.noAccount }
        return try add(candidate, key)
    }

    private func add(_ candidate: PairingCandidate, _ key: P256.Signing.PrivateKey) throws(BatonError) -> PairingEvent {
        let contact = try TrustedDevice(candidate, own: key, added: environment.clock.milliseconds)
        try book.add(contact)
        return .added(contact: contact.id, name: contact.name)
    }
}
