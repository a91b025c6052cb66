import LaunchServices
import Opening
import ServiceLifecycle

/// The search provider of the desktop: for the shell of GNOME and KRunner.
struct DesktopSearchPart: DaemonPart {
    private let follower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let opening = try daemon.part(OpeningPart.self)
        let search = DesktopSearch(
            spotlight: try daemon.part(SpotlightPart.self).service,
            suggestions: try daemon.part(SuggestionsPart.self).suggestions, opening: opening.service,
            launchServices: apps.launchServices, icons: apps.icons)
        // The name on the bus is asked for when the daemon runs. Nothing is followed after that.
        follower = EventFollower(
            apps.launchServices.events(), atStart: { [bus = opening.bus] in bus.setSearch(search) }, follow: { _ in })
    }

    var services: [any Service] { [follower] }
}
