import ArgumentParser
import BatonCore
import BatonWire

/// `baton browse URL`
struct BrowsePageCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Offer a web page to your other devices, until you interrupt it.",
        discussion: """
            The same as “baton browse URL”. An address without https:// or http:// is one of https.
            """)

    @Argument(help: "The page: an address of http or https.")
    var url: String

    @Option(name: .long, help: "The page's title on the other devices.")
    var title: String?

    @Flag(name: .long, help: "End when another device has continued it.")
    var once = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let page = try BrowsedPage(url: BrowsedPage.completed(url), title: title)
        guard !page.address.isLoopback else {
            throw CommandFailure.usage(
                "“\(TerminalText.escape(page.address.shownHost))” leads every device to itself, so your other devices do not "
                    + "take this page. Name an address by which they reach this device.", reason: "page_of_this_device")
        }
        // Bound 64, the oldest goes first: there is an event at each restart of the daemon and at each continuation.
        let (events, reporting) = AsyncStream.makeStream(
            of: PagePublisher.Event.self, bufferingPolicy: .bufferingNewest(64))
        let publisher = PagePublisher(
            identity: .commandLine, environment: .init(makeClient: { try session.client() }),
            report: { reporting.yield($0) })
        publisher.visit(page)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await publisher.run(needsDaemon: true) }
            group.addTask { try await follow(events, session) }
            try await group.next()
        }
    }

    private func follow(_ events: AsyncStream<PagePublisher.Event>, _ session: CommandSession) async throws {
        var lastProblem: String?
        for await event in events {
            switch event {
            case .offered(let page): try await sayOffered(page, session)
            case .continued(let page, let device):
                try say("continued", page, device: device, session)
                if once { return }
                if !session.isJSON {
                    try session.remark(
                        "It is no longer offered. Ctrl-C ends this; run the command again to offer it again.")
                }
            case .refused(_, let error): throw error
            case .away(let error):
                // Reported once, however often the daemon is tried.
                if error.reason != lastProblem { try say(error, session) }
            case .attached, .withdrawn: break
            }
            if case .away(let error) = event { lastProblem = error.reason } else { lastProblem = nil }
        }
    }

    /// Reports that the daemon has the page and offers it to the connected devices.
    private func sayOffered(_ page: BrowsedPage, _ session: CommandSession) async throws {
        // A daemon that does not say how it is took the page all the same.
        let status = try? await session.call(ControlMethods.getStatus, .init())
        let lack = status.flatMap(BrowseAudience.lack)
        let devices = status.map { Int($0.devicesConnected) }
        if session.isJSON { return try session.emitLine(json("offered", page, message: lack, devices: devices)) }
        guard let lack else { return try session.emitLine("Offered to your other devices: \(Self.name(page))") }
        try session.emitLine("Offered, but to no device yet: \(Self.name(page))")
        try session.remark(lack)
    }

    private func say(
        _ event: String, _ page: BrowsedPage, device: String, _ session: CommandSession
    ) throws {
        if session.isJSON { return try session.emitLine(json(event, page, device: device)) }
        try session.emitLine("Continued on \(TerminalText.escape(device)): \(Self.name(page))")
    }

    private static func name(_ page: BrowsedPage) -> String {
        TerminalText.escape(page.title.map { "“\($0)”" } ?? page.url)
    }

    private func json(
        _ event: String, _ page: BrowsedPage, device: String? = nil, message: String? = nil, devices: Int? = nil
    ) -> String {
        let json: JSONValue = [
            "event": .string(event), "url": .string(page.url), "title": page.title.map(JSONValue.string) ?? .null,
            "device_name": device.map(JSONValue.string) ?? .null,
            "message": message.map(JSONValue.string) ?? .null,
            "devices_connected": devices.map { JSONValue($0) } ?? .null,
        ]
        return json.description
    }

    private func say(_ error: BatonError, _ session: CommandSession) throws {
        if session.isJSON {
            let json: JSONValue = [
                "event": "away", "url": nil, "title": nil, "device_name": nil, "message": .string(error.message),
                "devices_connected": nil,
            ]
            return try session.emitLine(json.description)
        }
        try session.remark("\(TerminalText.escape(error.message)) The page is offered again when it is back.")
    }
}
