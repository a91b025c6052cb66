import ArgumentParser
import BatonWire

/// `baton cloud logout`
struct CloudLogOutCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Disconnect the account from its cloud.",
        discussion: "The cloud and the devices keep their copies of the data.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(CloudControlMethods.logOutOfCloud, .init(), timeout: .seconds(60))
        let left = answer.hasLeft ? answer.left : nil
        try CloudLeaving.warn(left, in: session)
        try session.emit(
            json: ["logged_out": .boolean(true), "left": CloudLeaving.json(left)],
            text: "This account has no cloud now. " + CloudLeaving.text(left, verb: "log out"))
    }
}
