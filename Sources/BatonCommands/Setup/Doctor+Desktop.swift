import BatonCore
import BatonWire

/// The parts that Baton uses of a desktop and of the kernel, and does without.
extension Doctor {
    // MARK: The session bus

    var sessionBus: DoctorCheck {
        let advice =
            "Without it there are no notifications, and no names of apps on the bus. Log in to a desktop, or "
            + "install dbus-user-session."
        // The daemon reports a bus that it needs and that does not answer.
        if let problem = status?.desktopBusProblem, !problem.isEmpty {
            return DoctorCheck("session bus", .missing, Self.clause(problem), advice)
        }
        if let taken = status?.takenNames, !taken.isEmpty {
            return DoctorCheck(
                "session bus", .failed, Self.clause(taken),
                "End that program, unless it is a daemon of yours for another home.")
        }
        // It is the daemon that uses the bus, and “baton status” says the same.
        if status != nil {
            return DoctorCheck("session bus", .ok, busAddress.map(Self.place) ?? "the daemon has one")
        }
        guard let address = busAddress else { return DoctorCheck("session bus", .missing, "there is none", advice) }
        guard address.hasPrefix(Self.pathPrefix) else { return DoctorCheck("session bus", .ok, address) }
        let path = Self.place(address)
        return machine.answers(atSocket: path) == false
            ? DoctorCheck("session bus", .missing, "no answer at \(path)", advice)
            : DoctorCheck("session bus", .ok, path)
    }

    private static func place(_ address: String) -> String {
        guard address.hasPrefix(pathPrefix) else { return address }
        return String(address.dropFirst(pathPrefix.count).prefix { $0 != "," && $0 != ";" })
    }

    private static let pathPrefix = "unix:path="

    /// Nil where there is no bus.
    private var busAddress: String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address.hasPrefix("disabled:") ? nil : address
        }
        return environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\(Self.pathPrefix)\($0)/bus" : nil }
    }

    var notifications: DoctorCheck {
        let name = "org.freedesktop.Notifications"
        guard busAddress != nil else {
            return DoctorCheck(
                "notifications", .missing, "there is no session bus to show them on", "“baton notices” prints them.")
        }
        guard let names = busNames else {
            return DoctorCheck(
                "notifications", .unknown, "neither busctl nor dbus-send can ask the session bus")
        }
        guard names.contains("\"\(name)\"") else {
            return DoctorCheck(
                "notifications", .missing, "the desktop shows none",
                "Install a notification server, or watch “baton notices”.")
        }
        return DoctorCheck("notifications", .ok, "the desktop shows them")
    }

    /// The names on the session bus and those that it can start, in quotes; nil where it cannot be asked.
    private var busNames: String? {
        let bus = "org.freedesktop.DBus"
        let path = "/org/freedesktop/DBus"
        let answers = ["ListNames", "ListActivatableNames"].map { call -> String? in
            let commands = [
                ["busctl", "--user", "call", bus, path, bus, call],
                ["dbus-send", "--session", "--print-reply", "--dest=\(bus)", path, "\(bus).\(call)"],
            ]
            return commands.lazy.compactMap { machine.run($0, environment: environment) }
                .first { $0.status == 0 }?.output
        }
        let known = answers.compactMap { $0 }
        return known.isEmpty ? nil : known.joined()
    }

    // MARK: Files and windows

    var fileTypes: DoctorCheck {
        let shared = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let folders = [environment["XDG_DATA_HOME"] ?? ""] + shared.split(separator: ":").map(String.init)
        let found = folders.filter { $0.hasPrefix("/") }.first { machine.text(of: "\($0)/mime/globs2") != nil }
        guard let found else {
            return DoctorCheck(
                "file types", .missing, "the database of types (shared-mime-info) is not installed",
                "Files without an extension are opened by no app. Install the package shared-mime-info.")
        }
        return DoctorCheck("file types", .ok, "\(found)/mime")
    }

    var pdfFiles: DoctorCheck {
        guard let program = machine.find("pdftotext", in: folder, environment: environment) else {
            return DoctorCheck(
                "pdf files", .missing, "pdftotext (poppler-utils) is not installed",
                "Search finds PDF files by their names only. Install the package poppler-utils.")
        }
        return DoctorCheck("pdf files", .ok, program)
    }

    var windows: DoctorCheck {
        let advice = "Install the package baton-desktop, and use it on a desktop."
        if let status {
            let finding = Self.clause(status.desktopHelper)
            return status.desktopHelperAvailable
                ? DoctorCheck("windows", .ok, finding) : DoctorCheck("windows", .missing, finding, advice)
        }
        guard let program = machine.find("baton-desktop", in: folder, environment: environment) else {
            return DoctorCheck("windows", .missing, "baton-desktop is not installed", advice)
        }
        guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            return DoctorCheck("windows", .missing, "there is no display", "“baton questions” lists what apps ask.")
        }
        return DoctorCheck("windows", .ok, program)
    }

    /// Where the programs of Baton are.
    private var folder: String { ProgramFolder.of(executable) }

    // MARK: The kernel

    var sandbox: DoctorCheck {
        let advice =
            "Apps that are launched are not confined. Use a kernel with Landlock (5.13 or later), and see "
            + "“lsm=” of its command line."
        if let status {
            let finding = Self.clause(status.sandbox)
            return status.sandboxed
                ? DoctorCheck("sandbox", .ok, finding) : DoctorCheck("sandbox", .missing, finding, advice)
        }
        guard let modules = machine.text(of: "/sys/kernel/security/lsm") else {
            return DoctorCheck("sandbox", .unknown, "the kernel does not say whether it has Landlock")
        }
        return modules.contains("landlock")
            ? DoctorCheck("sandbox", .ok, "the kernel has Landlock")
            : DoctorCheck("sandbox", .missing, "the kernel has no Landlock", advice)
    }

    /// A sentence of the daemon's, without its full stop.
    private static func clause(_ sentence: String) -> String {
        if sentence.isEmpty { return "the daemon does not say" }
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}
