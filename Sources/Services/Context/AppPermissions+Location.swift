package import BatonStore

extension AppPermissions.Subject {
    package static let location = Self(
        table: "location_access", category: "location", action: "know where this device is", command: "baton location")
}
