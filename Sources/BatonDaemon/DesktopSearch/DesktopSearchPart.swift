import Opening

/// What the desktop's search finds: the shell of GNOME and KRunner.
struct DesktopSearchPart: DaemonPart {
    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let opening = try daemon.part(OpeningPart.self)
        opening.bus.setSearch(
            DesktopSearch(
                spotlight: try daemon.part(SpotlightPart.self).service,
                suggestions: try daemon.part(SuggestionsPart.self).suggestions, opening: opening.service,
                launchServices: apps.launchServices, icons: apps.icons))
    }
}
