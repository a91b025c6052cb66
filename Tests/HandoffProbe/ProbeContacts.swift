import Baton
import Foundation

/// The probe's use of contacts. Fetching blocks, so it happens beside the main thread.
enum ProbeContacts {
    private static let queue = DispatchQueue(label: "probe.contacts")

    static func perform(_ command: ProbeCommand) {
        queue.async {
            do {
                try run(command)
            } catch {
                let code = (error as? CNError)?.code.rawValue ?? -1
                ProbeLog.print(["event": "contactsFailed", "mode": command.mode ?? "", "code": "\(code)"])
            }
        }
    }

    private static func run(_ command: ProbeCommand) throws {
        let store = CNContactStore()
        switch command.mode {
        case "watch":
            _ = NotificationCenter.default.addObserver(
                forName: .CNContactStoreDidChange, object: nil, queue: nil
            ) { _ in ProbeLog.print(["event": "contactsChanged"]) }
            print("watching", "")
        case "status": print("status", "\(CNContactStore.authorizationStatus(for: .contacts).rawValue)")
        case "request":
            store.requestAccess(for: .contacts) { isGranted, error in
                ProbeLog.print([
                    "event": "contactsAsked", "granted": "\(isGranted)",
                    "code": "\((error as? CNError)?.code.rawValue ?? 0)",
                ])
            }
        case "save":
            let contact = CNMutableContact()
            contact.givenName = command.title ?? ""
            contact.phoneNumbers = [
                CNLabeledValue(label: CNLabelPhoneNumberMobile, value: CNPhoneNumber(stringValue: command.id ?? ""))
            ]
            let request = CNSaveRequest()
            request.add(contact, toContainerWithIdentifier: nil)
            try store.execute(request)
            print("saved", contact.identifier)
        case "rename":
            let found = try store.unifiedContacts(matching: predicate(command), keysToFetch: [CNContactGivenNameKey])
            guard let contact = found.first?.mutableCopy() as? CNMutableContact else { return print("renamed", "") }
            contact.givenName = command.title ?? ""
            let request = CNSaveRequest()
            request.update(contact)
            try store.execute(request)
            print("renamed", contact.identifier)
        default:
            let keys: [any CNKeyDescriptor] = [
                CNContactFormatter.descriptorForRequiredKeys(for: .fullName), CNContactEmailAddressesKey,
            ]
            let found = try store.unifiedContacts(matching: predicate(command), keysToFetch: keys)
            let names = found.map { CNContactFormatter.string(from: $0, style: .fullName) ?? "" }
            let emails = found.flatMap { $0.emailAddresses.map { String(describing: $0.value) } }
            print(names.joined(separator: ", "), emails.joined(separator: ", "))
        }
    }

    private static func predicate(_ command: ProbeCommand) -> NSPredicate {
        let text = command.id ?? ""
        return switch command.type {
        case "email": CNContact.predicateForContacts(matchingEmailAddress: text)
        case "number": CNContact.predicateForContacts(matching: CNPhoneNumber(stringValue: text))
        case "identifier": CNContact.predicateForContacts(withIdentifiers: [text])
        default: CNContact.predicateForContacts(matchingName: text)
        }
    }

    private static func print(_ result: String, _ more: String) {
        ProbeLog.print(["event": "contacts", "result": result, "more": more])
    }
}
