package import BatonStore

extension AppPermissions.Subject {
    package static let contacts = Self(
        table: "contact_access", category: "contacts", action: "read contacts", command: "baton cards access")
}
