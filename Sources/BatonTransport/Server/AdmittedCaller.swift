package import BatonCore
package import BatonWire

/// The app that calls a method of the app plane, as this device has found out: by the process, never by what it says alone.
///
/// ``ConnectRouter/app(_:_:)`` hands one to each handler.
package struct AdmittedCaller: Hashable, Sendable {
    package let process: PeerProcess
    package let identity: AppIdentity
    /// For people.
    package let name: String
    /// False for a program of the person's, whose names are its own claim.
    private let isInstalled: Bool

    package init(process: PeerProcess, identity: AppIdentity, name: String, isInstalled: Bool) {
        self.process = process
        self.identity = identity
        self.name = name
        self.isInstalled = isInstalled
    }

    /// With the name that the process gives itself, if it may: an installed app has that of its bundle.
    package func named(_ name: String) -> AdmittedCaller {
        guard !isInstalled, !name.isEmpty else { return self }
        return AdmittedCaller(process: process, identity: identity, name: String(name.prefix(100)), isInstalled: false)
    }
}

/// Finds out which app calls. Must not block.
/// - Throws: for a process that may not speak for the app that it claims to be, or for no app at all.
package typealias AppAdmission =
    @Sendable (_ process: PeerProcess, _ claim: AppClaim) throws(BatonError) -> AdmittedCaller
