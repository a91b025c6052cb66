package import BatonCore
import Geocoding
import Notices

/// One setting: its name, its default, its purpose, and its values.
package struct Setting: Sendable {
    package let name: String
    package let defaultValue: String
    /// For a person, as a sentence.
    package let purpose: String
    /// Its possible values, or the usual ones where anything can be given.
    package let values: [String]
    private let check: @Sendable (String) throws(BatonError) -> Void

    /// - Throws: `invalid_argument` with reason `invalid_setting`, and what is possible.
    package func validate(_ value: String) throws(BatonError) { try check(value) }

    /// The command that opens pages that no app here takes (H-84).
    package static let browser = Setting(
        name: "browser", defaultValue: "xdg-open %u",
        purpose: "The command that opens pages that no app here takes; %u is the URL. “none” for no command.",
        values: ["xdg-open %u", "none"],
        check: { value throws(BatonError) in _ = try BrowserCommand(value) })

    /// Which notices the system shows itself, on the desktop and in `baton notices` (H-10, H-68, H-74).
    package static let notifications = Setting(
        name: "notifications", defaultValue: "on",
        purpose:
            "Notifications: “on” for all, “offers-off” for the progress of continuations only, or “off”.",
        values: NoticePolicy.allCases.map(\.rawValue),
        check: { value throws(BatonError) in
            try oneOf(NoticePolicy.allCases.map(\.rawValue), value, "notifications")
        })

    /// Whether own devices send without a question; nothing else needs none.
    package static let airDropOwnDevices = Setting(
        name: "airdrop-own-devices", defaultValue: "ask",
        purpose: "AirDrop from your own devices: “ask” first, or “accept” without a question.",
        values: ["ask", accept],
        check: { value throws(BatonError) in try oneOf(["ask", accept], value, "airdrop-own-devices") })
    static let accept = "accept"

    /// Whether leaving an app that shows a place gives a notice (P-25).
    package static let suggestionNotices = Setting(
        name: "suggestions.notices", defaultValue: "on",
        purpose: "Whether directions are offered when you leave an app that shows a place: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "suggestions.notices") })

    /// Whether apps receive suggestions for their text fields (P-36).
    package static let suggestionFields = Setting(
        name: "suggestions.fields", defaultValue: "on",
        purpose: "Whether text fields of apps, pages and the desktop are offered the places that you looked at "
            + "elsewhere: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "suggestions.fields") })

    /// The geocoder that is asked where an address is, beyond the places that this device knows.
    package static let geocoder = Setting(
        name: "places.geocoder", defaultValue: "none",
        purpose:
            "The address of a Nominatim server that is asked for addresses, as https://nominatim.example.org; “none” for none.",
        values: ["none"],
        check: { value throws(BatonError) in _ = try Nominatim.base(value) })

    /// Which towns are known without asking anybody.
    package static let gazetteer = Setting(
        name: "places.gazetteer", defaultValue: "built-in",
        purpose: "A file of towns in the form of dev/gazetteer, in place of the one that comes with Baton: “built-in”.",
        values: ["built-in"],
        check: { value throws(BatonError) in
            guard value == "built-in" || value.hasPrefix("/") else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_setting",
                    "“\(value.prefix(100))” is no path of a file that begins with “/”.")
            }
        })

    /// Where the person's contacts are.
    package static let contactsFolder = Setting(
        name: "contacts.folder", defaultValue: "default",
        purpose:
            "A folder of vCards, in place of “contacts” in the folder of the desktop's data: “default”; “none” for none.",
        values: ["default", "none"],
        check: { value throws(BatonError) in
            guard ["default", "none"].contains(value) || value.hasPrefix("/") else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_setting",
                    "“\(value.prefix(100))” is no path of a folder that begins with “/”.")
            }
        })

    /// Where the files of reminders are.
    package static let remindersFolder = Setting(
        name: "reminders.folder", defaultValue: defaultFolder,
        purpose:
            "The folder of reminders, one iCalendar file each, which other programs may share: a path, or “default”.",
        values: [defaultFolder],
        check: { value throws(BatonError) in
            guard value == defaultFolder || value.hasPrefix("/") && value.utf8.count < 4096 && !value.contains("\0")
            else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_setting",
                    "“\(value.prefix(100))” is no path of a folder that begins with “/”.")
            }
        })
    static let defaultFolder = "default"

    /// Whether what is used next is learned and offered (P-59).
    package static let suggestionPredictions = Setting(
        name: "suggestions.predictions", defaultValue: "on",
        purpose: "Whether Baton learns on this device which app you use next, and offers it: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "suggestions.predictions") })

    /// Whether GeoClue is asked where the device is.
    package static let placesLocation = Setting(
        name: "places.location", defaultValue: "off",
        purpose: "Whether GeoClue is asked where this device is, to know the places where it stays: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "places.location") })

    /// Whether gpsd on this machine is asked.
    package static let placesGPSD = Setting(
        name: "places.gpsd", defaultValue: "off",
        purpose: "Whether gpsd on this machine is asked where it is, to know the places where it stays: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "places.gpsd") })

    /// Whether searches ask the other devices, and are answered to them.
    package static let searchDevices = Setting(
        name: "search.devices", defaultValue: "off",
        purpose:
            "Whether a search asks your other devices that have this on too, and theirs are answered here: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "search.devices") })

    /// Whether pages that apps offer to everybody go to the account's cloud, and are searched there (H-37).
    package static let searchPublic = Setting(
        name: "search.public", defaultValue: "off",
        purpose:
            "Whether pages that apps make public are given to the public index of your cloud, and “baton search --public” asks it: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "search.public") })

    /// How fast contents of the person's folders come from the cloud.
    package static let foldersDown = rate("folders.download-rate", "come from the cloud")
    /// How fast they go there.
    package static let foldersUp = rate("folders.upload-rate", "go to the cloud")

    private static func rate(_ name: String, _ way: String) -> Setting {
        Setting(
            name: name, defaultValue: "none",
            purpose: "How fast contents of your folders \(way), in KiB a second; “none” for as fast as it goes.",
            values: ["none"],
            check: { value throws(BatonError) in
                guard value == "none" || number(value, in: 1...1_000_000_000) != nil else {
                    throw BatonError(
                        .invalidArgument, reason: "invalid_setting",
                        "“\(value.prefix(100))” is no number of KiB a second from 1 to 1000000000, and not “none”.")
                }
            })
    }

    /// - Returns: nil for what is no such number.
    static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Whether folders use a metered network.
    package static let foldersMetered = Setting(
        name: "folders.metered", defaultValue: "wait",
        purpose:
            "Contents of your folders that only the cloud has, on a metered network: “wait” for another network, or “sync”.",
        values: ["wait", "sync"],
        check: { value throws(BatonError) in try oneOf(["wait", "sync"], value, "folders.metered") })

    /// Whether folders use the battery.
    package static let foldersBattery = Setting(
        name: "folders.battery", defaultValue: "sync",
        purpose:
            "Contents of your folders that only the cloud has, on battery power: “sync”, or “wait” for mains power.",
        values: ["sync", "wait"],
        check: { value throws(BatonError) in try oneOf(["sync", "wait"], value, "folders.battery") })

    /// When contents leave directories that are on demand.
    package static let foldersRoom = Setting(
        name: "folders.room", defaultValue: "1024",
        purpose:
            "MiB that stay free on the disks of folders and apps' documents: below that, what is on demand or was not used for longest leaves; “0” for never.",
        values: ["0", "1024"],
        check: { value throws(BatonError) in
            guard number(value, in: 0...1_000_000_000) != nil else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_setting",
                    "“\(value.prefix(100))” is no number of MiB from 0 to 1000000000.")
            }
        })

    /// Whether contents under `Documents` come before they are asked for.
    package static let documentsPrefetch = Setting(
        name: "documents.prefetch", defaultValue: "off",
        purpose:
            "Whether what is on demand under “Documents” comes in the background, while there is room and no metered network: “on” or “off”.",
        values: ["on", "off"],
        check: { value throws(BatonError) in try oneOf(["on", "off"], value, "documents.prefetch") })

    /// By name.
    package static let all = [
        documentsPrefetch,
        foldersBattery,
        foldersDown,
        foldersMetered,
        foldersRoom,
        foldersUp,
        airDropOwnDevices,
        browser,
        contactsFolder,
        gazetteer,
        geocoder,
        notifications,
        placesGPSD,
        placesLocation,
        remindersFolder,
        searchDevices,
        searchPublic,
        suggestionFields,
        suggestionNotices,
        suggestionPredictions,
    ].sorted { $0.name < $1.name }

    /// - Throws: `not_found` with the names that there are.
    static func named(_ name: String) throws(BatonError) -> Setting {
        guard let setting = all.first(where: { $0.name == name }) else {
            throw BatonError(
                .notFound, reason: "no_such_setting",
                "There is no setting “\(name.prefix(40))”. \(SpokenName.meant(name, among: all.map(\.name)))There are: "
                    + all.map(\.name).joined(separator: ", ") + ".")
        }
        return setting
    }

    private static func oneOf(_ values: [String], _ value: String, _ name: String) throws(BatonError) {
        guard values.contains(value) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_setting",
                "The setting “\(name)” cannot be “\(value.prefix(100))”. It is one of: "
                    + values.joined(separator: ", ") + ".")
        }
    }
}
