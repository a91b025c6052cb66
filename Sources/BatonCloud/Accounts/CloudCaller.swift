package import BatonCore

/// A caller: a device of an account, as its token says. Membership is checked separately.
package struct CloudCaller: Hashable, Sendable {
    package var account: AccountID
    package var device: DeviceID

    package init(account: AccountID, device: DeviceID) {
        self.account = account
        self.device = device
    }
}
