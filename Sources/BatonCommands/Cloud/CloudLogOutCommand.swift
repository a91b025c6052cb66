import ArgumentParser
import BatonWire

/// `baton cloud logout`
struct CloudLogOutCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Let the account have no cloud.",
        discussion: "What the cloud has stays there, and what the devices have stays on them.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        _ = try await session.call(CloudControlMethods.logOut, .init(), timeout: .seconds(30))
        try session.emit(
            json: ["logged_out": .boolean(true)],
            text:
                "This account has no cloud now. Its other devices learn of it when they are near this one; on one that is not, "
                + "log out too.")
    }
}
