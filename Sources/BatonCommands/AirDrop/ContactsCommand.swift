import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton contacts`
struct ContactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "List, add or remove devices of other people that may send to this one.",
        discussion: """
            A contact is another person's device that was verified by a code. “baton airdrop contacts” lets contacts and own \
            devices send to this device, and no others.
            """,
        subcommands: [ContactsListCommand.self, ContactsAddCommand.self, ContactsRemoveCommand.self],
        defaultSubcommand: ContactsListCommand.self)
}

/// `baton contacts list`
struct ContactsListCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the contacts.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let contacts = try await session.call(AirDropMethods.listContacts, .init()).contacts
        try session.emit(json: ["contacts": .array(contacts.map(Self.json))], text: text(contacts, session))
    }

    static func json(_ contact: Baton_Control_V1_Contact) -> JSONValue {
        ["id": .string(contact.id), "name": .string(contact.name), "added_ms": .init(contact.added)]
    }

    private func text(_ contacts: [Baton_Control_V1_Contact], _ session: CommandSession) -> String {
        guard !contacts.isEmpty else {
            return "There are no contacts. “baton contacts add”, run on both devices, makes two devices contacts."
        }
        var table = session.table([.init("NAME", isFlexible: true), .init("ADDED"), .init("ID")])
        let length = ShownIdentifier.length(contacts.map(\.id))
        for contact in contacts {
            table.add(
                contact.name, TimeFormat.age(milliseconds: contact.added, now: session.context.clock.now),
                String(contact.id.prefix(length)))
        }
        return table.render()
    }
}

/// `baton contacts add`
struct ContactsAddCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make another person's device a contact.",
        discussion: """
            Run it on both devices at the same time. Both show a code of six digits; they become contacts only if both people \
            find the codes the same. No account is needed.
            With --json the events are printed one a line, and the verdict is read from standard input: “yes”, “no”, or \
            the code of the other device.
            """)

    @Option(name: .long, help: "How the other person is to see this device (default: its name).")
    var name: String?

    @Option(name: .long, help: "The label that the other device shows, when several wait.")
    var label: String?

    @Option(name: .long, help: "How many seconds to wait for the other device.")
    var timeout: UInt32 = 120

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout must be 1 to 3600 seconds.") }
    }

    func run(in session: CommandSession) async throws {
        let client = try session.client()
        let events = try await client.serverStream(
            AirDropMethods.addContact,
            .with {
                $0.deviceName = name ?? ""
                $0.label = label ?? ""
                $0.timeoutSeconds = timeout
            })
        // Ending this command, in whatever way, ends the call.
        try await PairingConversation(session: session, client: client, purpose: .contact).run(events)
    }
}

/// `baton contacts remove`
struct ContactsRemoveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a contact, which is a stranger from then on.")

    @Argument(help: "Its name or identifier.", completion: DynamicCompletion.contacts)
    var contact: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let removed = try await session.call(AirDropMethods.removeContact, .with { $0.contact = contact }).removed
        try session.emit(
            json: ContactsListCommand.json(removed),
            text:
                "“\(TerminalText.escape(removed.name))” is no longer a contact. It is not notified, and lists this device "
                + "still.")
    }
}
