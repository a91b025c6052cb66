/// An object of a service, and one of its interfaces.
package struct BusObject: Sendable, Hashable {
    package var service: String
    package var path: String
    package var interface: String

    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }
}
