package import BatonCore

/// Who calls: a device of an account, as its token says. Whether it is a member is another question.
package struct CloudCaller: Hashable, Sendable {
    package var account: AccountID
    package var device: DeviceID

    package init(account: AccountID, device: DeviceID) {
        self.account = account
        self.device = device
    }
}
