import ArgumentParser
import BatonCore
import BatonWire

/// `baton sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Show document sync status.",
        subcommands: [SyncStatusCommand.self])
}

/// `baton sync status`
struct SyncStatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "How many documents wait to be sent or fetched, and why.",
        discussion: "“baton explain sync” says more of the cloud, and “baton explain file” of one document.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let containers = try await session.call(DocumentsMethods.listContainers, .init()).containers
        let cloud = try await session.call(CloudControlMethods.getCloudStatus, .init())
        let isConnected = cloud.state == .connected
        try session.emit(
            json: [
                "cloud_connected": .boolean(isConnected), "containers": .array(containers.map(DocumentReport.json)),
            ],
            text: Self.text(cloud.state) + "\n" + DocumentReport.text(containers, session))
    }

    private static func text(_ state: Baton_Control_V1_GetCloudStatusResponse.State) -> String {
        switch state {
        case .connected: "The account's cloud is connected."
        case .noAccount:
            "This device belongs to no account. Make one with “baton account create”, or join one with “baton pair”."
        case .noCloud: "The account has no cloud: devices that are near exchange documents directly."
        default:
            "The account's cloud is not connected, so devices that are not near wait for documents. See “baton cloud status”."
        }
    }
}
