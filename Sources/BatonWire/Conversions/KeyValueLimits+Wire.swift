package import BatonCore

extension Baton_App_V1_KeyValueProfile {
    package init(_ profile: KeyValueLimits.Profile) {
        switch profile {
        case .classic: self = .classic
        case .intermediate: self = .intermediate
        case .present: self = .present
        }
    }
}

extension KeyValueLimits.Profile {
    /// - Parameter message: an unknown one is the default.
    package init(_ message: Baton_App_V1_KeyValueProfile) {
        switch message {
        case .intermediate: self = .intermediate
        case .present: self = .present
        case .unspecified, .classic, .UNRECOGNIZED: self = .classic
        }
    }
}
