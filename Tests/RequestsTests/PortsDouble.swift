import BatonCore
import Foundation
import RequestGrammar
import Requests
import Synchronization

/// Everything that requests use, which writes down what it was asked to do.
final class PortsDouble: RequestScreen, RequestReminders, RequestPeople, RequestMedia, RequestPlaces, RequestTelephone,
    RequestApps, RequestSearch
{
    private let content: RequestedContent?
    private let log = Mutex<[String]>([])

    /// The number of a person that only an app knows.
    private let appNumber: String

    /// The app that says who called last.
    private let lastApp: String?

    init(content: RequestedContent?, appNumber: String = "+49 30 1234567", lastApp: String? = nil) {
        self.content = content
        self.lastApp = lastApp
        self.appNumber = appNumber
    }

    var done: [String] { log.withLock { $0 } }
    private func note(_ line: String) { log.withLock { $0.append(line) } }

    func service() -> Requests {
        Requests(
            ports: RequestPorts(
                screen: self, reminders: self, people: self, media: self, places: self, telephone: self, apps: self,
                search: self),
            languages: ["en_US.UTF-8"], recorder: NullEventRecorder())
    }

    /// Asks, and says yes to what comes.
    func confirmed(_ text: String) async throws -> RequestAnswer {
        let shown = try await service().ask(text, isDryRun: false, timeZone: .gmt)
        return try await service().ask(text, isDryRun: false, timeZone: .gmt, confirmation: shown.confirmation)
    }

    func current() async -> RequestedContent? { content }

    func add(
        subject: String, when: RequestMeaning.When?, linkedActivity: RequestedContent?, here: RequestedContent?
    ) async throws -> String? {
        note("remind \(subject), \(when?.phrase(in: .gmt) ?? "-"), \(linkedActivity?.activity.rawValue ?? "-")")
        if case .place(.work, _)? = when { return "“work” is not known yet." }
        return nil
    }

    /// The first comes in an hour, the next ones each on another day, and the last has no time.
    func list(before end: Date?, timeZone: TimeZone) async throws -> [RequestedResult] {
        let all = (0..<24).map { RequestedResult(title: "Item \($0)", origin: $0 == 23 ? "" : "day \($0)") }
        return end == nil ? all : Array(all.prefix(1))
    }

    func playing() async -> [RequestedResult] {
        content == nil ? [] : [RequestedResult(title: "Naima", origin: "John Coltrane, Tone")]
    }

    func resolve(_ word: String) async throws -> [RequestedPerson] {
        switch word {
        case "Bea": [RequestedPerson(id: "1", name: "Bea")]
        // As beginnings of a name.
        case "office", "home", "again": [RequestedPerson(id: "6", name: "Home Office Again")]
        case "Anna Ames": [RequestedPerson(id: "2", name: "Anna Ames", detail: "at work")]
        case "Ayşe Öztürk", "Ayşe": [RequestedPerson(id: "4", name: "Ayşe Öztürk")]
        case "Mum": [RequestedPerson(id: "app:5", name: "Mum", detail: "from Chat, \(appNumber)", fromApp: "Chat")]
        case "Anna":
            [
                RequestedPerson(id: "2", name: "Anna Ames", detail: "at work"),
                RequestedPerson(id: "3", name: "Anna Beck", detail: "at home"),
            ]
        default: []
        }
    }

    func kin(_ word: String) async throws -> [(person: RequestedPerson, owner: String, label: String)] {
        switch word {
        case "wife": [(RequestedPerson(id: "1", name: "Bea"), "Max Bell", "spouse")]
        case "brother":
            [
                (RequestedPerson(id: "1", name: "Bea"), "Max Bell", "brother"),
                (RequestedPerson(id: "2", name: "Anna Ames"), "Bea", "sibling"),
            ]
        default: []
        }
    }

    func resolve(_ shown: ShownPerson, from app: String) async throws -> [RequestedPerson] {
        guard let address = shown.addresses.first else { return try await resolve(shown.name) }
        return [
            RequestedPerson(
                id: address, name: shown.name, detail: "from \(app), \(address)", fromApp: app, stranger: shown)
        ]
    }

    func lastContact() async throws -> (person: RequestedPerson, app: String)? {
        lastApp.map { (RequestedPerson(id: "1", name: "Bea"), $0) }
    }

    func knownNames() async -> [String] {
        ["Anna Ames", "ANNA AMES", "Anna Beck", "Ayşe Öztürk", "Annie"]
            + (0..<RequestLexicon.maximumPeople).map { "Somebody Number\($0)" }
    }

    func addresses(of name: String) async throws -> [RequestedAddress]? {
        switch name {
        case "Bea": [RequestedAddress(person: "Bea Bell", label: "home", text: "Gasse 1, 10115 Berlin")]
        case "Anna":
            [
                RequestedAddress(person: "Anna Ames", label: "cabin", text: "Lake 3"),
                RequestedAddress(person: "Anna Ames", label: "work", text: "1 Infinite Loop, Cupertino"),
                RequestedAddress(person: "Anna Ames", label: "home", text: "2 Elm Street"),
            ]
        case "Ben": []
        default: nil
        }
    }

    func call(_ person: RequestedPerson) async throws {
        note("call \(person.name)\(person.stranger.map { " at \($0.addresses[0])" } ?? "")")
    }
    func video(_ person: RequestedPerson) async throws { note("video \(person.name)") }
    func message(_ person: RequestedPerson, text: String?) async throws {
        note("message \(person.name): \(text ?? "-")")
    }

    func email(_ person: RequestedPerson, text: String?) async throws {
        note("email \(person.name): \(text ?? "-")")
    }

    func perform(_ action: RequestMeaning.MediaAction, media: String?) async throws -> String {
        note("\(action.rawValue) \(media ?? "-")")
        return "Tone"
    }

    func known() async -> [RequestedPlace] {
        content?.place.map { [$0] } ?? []
    }

    func directions(to destination: RequestDestination) async throws -> String {
        switch destination {
        case .address(let address): note("directions to \(address.text)")
        case .known(let place): note("directions \(place.id)")
        case .home, .work: note("directions \(destination.name)")
        case .named(let name): note("directions “\(name)”")
        }
        return "Maps"
    }

    func call(_ number: TelephoneAddress) async throws -> String {
        note("call \(number.url)")
        return "Phone"
    }

    func names() async -> [(id: String, name: String)] { [("com.example.Mail", "Mail")] }
    func open(_ id: String) async throws { note("open \(id)") }

    func open(page url: URL) async throws { note("page \(url.absoluteString)") }

    func search(_ text: String) async throws -> [RequestedResult] {
        note("search \(text)")
        return []
    }
}
