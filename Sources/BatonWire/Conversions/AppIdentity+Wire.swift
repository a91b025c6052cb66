package import BatonCore
import Foundation

extension Baton_Value_V1_AppIdentity {
    package init(_ identity: AppIdentity) {
        self.init()
        bundleID = identity.bundleID.rawValue
        teamID = identity.team.id.rawValue
        teamFingerprint = Data(identity.team.fingerprint)
    }
}

extension AppIdentity {
    /// - Throws: `invalid_argument` for an identifier that breaks its rule, or a Team ID that does not follow from the
    ///   fingerprint.
    package init(_ message: Baton_Value_V1_AppIdentity) throws(BatonError) {
        self.init(
            bundleID: try BundleID(validating: message.bundleID),
            team: try TeamIdentity(
                id: try TeamID(validating: message.teamID), fingerprint: Array(message.teamFingerprint)))
    }
}
