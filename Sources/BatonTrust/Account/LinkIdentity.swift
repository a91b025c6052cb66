package import BatonCore

/// This device's credentials on the link plane: all that TLS needs.
package struct LinkIdentity: Sendable, Equatable {
    package let accountID: AccountID
    package let deviceID: DeviceID
    /// In DER: this device's certificate, its sponsor's, ... up to the account's root. At most
    /// ``DeviceCertificate/maximumChainLength``; a longer chain is cut at its far end, which peers that know any of the
    /// sponsors do not need.
    package let certificateChain: [[UInt8]]
    /// The device's P-256 key: PKCS #8 in DER. Never logged.
    package let privateKey: [UInt8]

    package init(accountID: AccountID, deviceID: DeviceID, certificateChain: [[UInt8]], privateKey: [UInt8]) {
        self.accountID = accountID
        self.deviceID = deviceID
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}

extension LinkIdentity: CustomStringConvertible {
    /// Without the key.
    package var description: String { "device \(deviceID) of account \(accountID)" }
}
