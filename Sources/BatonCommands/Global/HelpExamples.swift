import ArgumentParser

/// The examples below each verb's help.
enum HelpExamples {
    /// The section of the help that a command line asks for; nil for one without examples.
    static func section(_ arguments: [String]) -> String? {
        let (words, command) = verb(arguments)
        let examples = examples(words, command)
        guard !examples.isEmpty else { return nil }
        return "EXAMPLES:\n" + examples.map { "  \($0)" }.joined(separator: "\n") + "\n"
    }

    /// A verb's own. A group of verbs shows the first one of its first two.
    static func examples(_ words: [String], _ command: any ParsableCommand.Type) -> [String] {
        if let own = all[words.joined(separator: " ")] { return own }
        let children = command.configuration.subcommands.compactMap {
            all[(words + [$0._commandName]).joined(separator: " ")]
        }
        return Array((children.compactMap(\.first) + children.compactMap(\.last)).prefix(2))
    }

    /// The words that name a verb, as in `documents restore`, and its command.
    private static func verb(_ arguments: [String]) -> (words: [String], command: any ParsableCommand.Type) {
        var command: any ParsableCommand.Type = BatonCommand.self
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--home" { rest = rest.dropFirst() }
            if word == "help" || word.hasPrefix("-") { continue }
            let children = command.configuration.subcommands
            guard let child = children.first(where: { $0._commandName == word }) else { break }
            command = child
            words.append(word)
        }
        return (words, command)
    }

    /// Each is a command line that can be typed as it is, but for its names.
    static let all: [String: [String]] = [
        "setup": ["baton setup", "baton setup --join --address 192.0.2.7:22867"],
        "doctor": ["baton doctor", "baton doctor --json"],
        "account create": ["baton account create", "baton account create --name Desk"],
        "account show": ["baton account show", "baton account show --json"],
        "account leave": ["baton account leave", "baton account leave --yes"],
        "account recovery-key": ["baton account recovery-key", "baton account recovery-key --json"],
        "account recover": [
            "baton account recover", "baton account recover --cloud https://cloud.example:8443 < paper.txt",
        ],
        "pair": ["baton pair", "baton pair --address 192.0.2.7:22867"],
        "devices": ["baton devices", "baton devices --json"],
        "device rename": ["baton device rename Kitchen", "baton device rename \"Anna's laptop\""],
        "device revoke": ["baton device revoke Kitchen", "baton device revoke laptop --yes"],
        "activities list": ["baton activities list", "baton activities list --saved bread"],
        "activities open": ["baton activities open QK3T", "baton activities open QK3T --json"],
        "offers": ["baton offers", "baton offers --watch"],
        "continue": ["baton continue", "baton continue XK3F --verbose"],
        "extract": ["baton extract https://www.yanksing.com", "baton extract page.html --expanded"],
        "people list": ["baton people list", "baton people list Anna"],
        "people show": ["baton people show Anna", "baton people show anna@example.org --json"],
        "people message": [
            "baton people message Anna \"See you at eight\"", "baton people message Anna --with MonkeyChat",
        ],
        "people call": ["baton people call Anna", "baton people call Anna --with phone"],
        "people video": ["baton people video Anna", "baton people video Anna --with MonkeyChat"],
        "people default": ["baton people default Anna", "baton people default Anna --reset"],
        "ask": ["baton ask remind me about this when I get home", "baton ask --dry-run call this place"],
        "backup target": ["baton backup target /media/disk", "baton backup target /mnt/share/backups"],
        "backup now": ["baton backup now", "baton backup now --target /media/archive"],
        "backup list": ["baton backup list", "baton backup list --large"],
        "backup status": ["baton backup status", "baton backup status --json"],
        "backup verify": ["baton backup verify", "baton backup verify --read"],
        "backup restore": [
            "baton backup restore latest ~/Pictures --to ~/found",
            "baton backup restore --app com.example.reader --replace",
        ],
        "backup forget": ["baton backup forget", "baton backup forget --keep-daily 7 --keep-monthly 24"],
        "backup include": ["baton backup include ~/Pictures", "baton backup include /srv/music"],
        "backup exclude": ["baton backup exclude ~/Pictures/Raw", "baton backup exclude /srv/music"],
        "backup why": ["baton backup why ~/Pictures/Raw", "baton backup why plan.md"],
        "explain backup": ["baton explain backup", "baton explain backup --json"],
        "suggestions": ["baton suggestions", "baton suggestions --field fullStreetAddress"],
        "cards list": ["baton cards", "baton cards list ann"],
        "cards show": ["baton cards show \"Ann Appleseed\"", "baton cards show ann@example.com"],
        "cards access": ["baton cards access", "baton cards access com.example.chat off"],
        "directions": ["baton directions \"Yank Sing\"", "baton directions \"101 Spear St, San Francisco\""],
        "media list": ["baton media", "baton media list --json"],
        "media play": ["baton media play", "baton media play MonkeyPlayer"],
        "media pause": ["baton media pause", "baton media pause mpv"],
        "media toggle": ["baton media toggle", "baton media toggle MonkeyPlayer"],
        "media next": ["baton media next", "baton media next mpv"],
        "media previous": ["baton media previous", "baton media previous mpv"],
        "media seek": ["baton media seek 90", "baton media seek 0 MonkeyPlayer"],
        "media move": ["baton media move Kitchen", "baton media move Kitchen MonkeyPlayer"],
        "explain suggestion": [
            "baton explain suggestion \"Yank Sing\"", "baton explain suggestion \"Yank Sing\" --field telephoneNumber",
        ],
        "today": ["baton today", "baton today --limit 3 --json"],
        "predictions": ["baton predictions", "baton predictions com.example.Mail off"],
        "context": ["baton context", "baton context --json"],
        "places": ["baton places", "baton places name 2 Library"],
        "explain prediction": [
            "baton explain prediction Mail", "baton explain prediction com.example.Mail --json",
        ],
        "notices": ["baton notices", "baton notices --json"],
        "install": ["baton install Reader.app", "baton install ~/Downloads/Reader.app --json"],
        "uninstall": ["baton uninstall Reader", "baton uninstall com.example.reader --keep-data"],
        "apps": ["baton apps", "baton apps --json"],
        "launch": ["baton launch Reader", "baton launch com.example.reader --json"],
        "quit": ["baton quit Reader", "baton quit com.example.reader"],
        "kv get": ["baton kv get theme --app Reader", "baton kv get theme --app com.example.reader --json"],
        "kv set": ["baton kv set theme dark --app Reader", "baton kv set size 12 --type integer --app Reader"],
        "kv list": ["baton kv list --app Reader", "baton kv list --app com.example.reader --json"],
        "kv watch": ["baton kv watch --app Reader", "baton kv watch --app development.Reader --create"],
        "kv remove": ["baton kv remove theme --app Reader", "baton kv remove theme --app com.example.reader"],
        "kv delete-store": [
            "baton kv delete-store --app development.Reader", "baton kv delete-store --app development.Reader --yes",
        ],
        "open": ["baton open https://example.org", "baton open picture.png --with Reader"],
        "handlers": ["baton handlers picture.png", "baton handlers todolist:new"],
        "default": ["baton default", "baton default scheme todolist com.acme.todo"],
        "type": ["baton type picture.png", "baton type public.png"],
        "documents list": ["baton documents list", "baton documents list Reader --deleted"],
        "documents delete": ["baton documents delete plan.md", "baton documents delete plan.md --yes"],
        "documents restore": [
            "baton documents restore iCloud.com.example.Reader/Documents/plan.md",
            "baton documents restore iCloud.com.example.Reader/Documents/Old --json",
        ],
        "documents purge": ["baton documents purge", "baton documents purge iCloud.com.example.Reader --yes"],
        "documents deletions": [
            "baton documents deletions Reader --undo", "baton documents deletions iCloud.com.example.Reader --confirm",
        ],
        "documents add": [
            "baton documents add iCloud.com.example.Reader", "baton documents add iCloud.com.example.Reader --json",
        ],
        "documents export": [
            "baton documents export iCloud.com.example.Reader reader",
            "baton documents export iCloud.com.example.Reader reader --all --timeout 60",
        ],
        "documents off": ["baton documents off Reader", "baton documents off com.example.reader"],
        "documents on": ["baton documents on Reader", "baton documents on com.example.reader"],
        "download": ["baton download plan.md", "baton download iCloud.com.example.Reader/Documents --no-wait"],
        "evict": ["baton evict film.mkv", "baton evict iCloud.com.example.Reader/Documents/film.mkv"],
        "versions": ["baton versions plan.md", "baton versions plan.md --resolve"],
        "conflicts": ["baton conflicts", "baton conflicts --json"],
        "sync status": ["baton sync status", "baton sync status --json"],
        "send": ["baton send picture.png", "baton send report.pdf --to Kitchen"],
        "receive": ["baton receive", "baton receive --to ~/Downloads --once"],
        "nearby": ["baton nearby", "baton nearby --watch"],
        "airdrop": ["baton airdrop", "baton airdrop contacts"],
        "contacts list": ["baton contacts list", "baton contacts list --json"],
        "contacts add": ["baton contacts add", "baton contacts add --name Anna"],
        "contacts remove": ["baton contacts remove Anna", "baton contacts remove \"Anna's phone\""],
        "transfers": ["baton transfers", "baton transfers --json"],
        "team create": ["baton team create Examples", "baton team create \"My apps\" --json"],
        "team list": ["baton team list", "baton team list --json"],
        "team export": ["baton team export Examples team.pem", "baton team export Examples -"],
        "team import": ["baton team import team.pem", "baton team import -"],
        "sign": ["baton sign Reader.app", "baton sign Reader.app --team Examples"],
        "verify": ["baton verify Reader.app", "baton verify Reader.app --json"],
        "cloud login": [
            "baton cloud login https://cloud.example", "baton cloud login https://cloud.example --invitation 3f0a9c",
        ],
        "cloud logout": ["baton cloud logout", "baton cloud logout --json"],
        "cloud status": ["baton cloud status", "baton cloud status --json"],
        "cloud usage": ["baton cloud usage", "baton cloud usage --json"],
        "browse": ["baton browse swift.org", "baton browse https://example.org/bread --title Bread --once"],
        "browse page": ["baton browse swift.org", "baton browse https://example.org/bread --title Bread --once"],
        "browse install": ["baton browse install", "baton browse install --remove"],
        "links list": ["baton links list", "baton links list --json"],
        "links refresh": ["baton links refresh", "baton links refresh example.org"],
        "settings list": ["baton settings list", "baton settings list --json"],
        "settings get": ["baton settings get notifications", "baton settings get notifications --json"],
        "settings set": ["baton settings set notifications off", "baton settings set notifications on"],
        "settings reset": ["baton settings reset notifications", "baton settings reset notifications --json"],
        "lock": ["baton lock", "baton lock --set-passphrase"],
        "unlock": ["baton unlock", "baton unlock --json"],
        "status": ["baton status", "baton status --json"],
        "log": ["baton log --follow", "baton log --app Reader"],
        "explain device": ["baton explain device Kitchen", "baton explain device Kitchen --json"],
        "explain app": ["baton explain app Reader", "baton explain app com.example.reader"],
        "explain activity": ["baton explain activity", "baton explain activity --device Kitchen"],
        "explain sync": ["baton explain sync", "baton explain sync --json"],
        "explain file": ["baton explain file plan.md", "baton explain file plan.md --json"],
        "explain url": ["baton explain url todolist:new", "baton explain url https://example.org"],
        "explain links": ["baton explain links https://example.org", "baton explain links https://example.org --json"],
        "explain airdrop": ["baton explain airdrop Kitchen", "baton explain airdrop Kitchen --json"],
        "questions": ["baton questions", "baton questions --json"],
        "answer": ["baton answer 4823 2", "baton answer 4824 ~/Documents/letter.odt"],
        "records list": ["baton records", "baton records list --json"],
        "records show": ["baton records show com.example.notes", "baton records show com.example.notes Notes note-1"],
        "records reset": [
            "baton records reset com.example.notes", "baton records reset com.example.notes --everywhere",
        ],
        "folder list": ["baton folder", "baton folder list --json"],
        "folder add": ["baton folder add ~/Pictures", "baton folder add /srv/music --name Music --read-only"],
        "folder join": ["baton folder join Pictures ~/Pictures", "baton folder join Music ~/Music --read-only"],
        "folder status": ["baton folder status Pictures", "baton folder status Pictures --json"],
        "folder forget": ["baton folder forget Music", "baton folder forget Music --yes"],
        "folder revert": ["baton folder revert Music", "baton folder revert Music --json"],
        "folder keep": ["baton folder keep ~/Pictures/2026", "baton folder keep ~/Pictures/cat.png"],
        "folder on-demand": ["baton folder on-demand ~/Pictures/2019", "baton folder on-demand ~/Music"],
        "folder leave": ["baton folder leave Music", "baton folder leave Music --json"],
        "folder purge": ["baton folder purge Pictures", "baton folder purge Pictures --yes"],
        "search": ["baton search banana bread", "baton search report --app Reader --open 1"],
        "index": ["baton index", "baton index Reader --again"],
        "forget": ["baton forget --last 1h", "baton forget --site example.com"],
        "people access": ["baton people access", "baton people access com.example.chat off"],
        "reminders list": ["baton reminders", "baton reminders list --all"],
        "reminders add": [
            "baton reminders add Buy milk --when \"tomorrow 9:00\"",
            "baton reminders add --this --when arriving:home",
        ],
        "reminders done": ["baton reminders done 4F1A", "baton reminders done 4F1A --json"],
        "reminders snooze": ["baton reminders snooze 4F1A", "baton reminders snooze 4F1A --json"],
        "reminders open": ["baton reminders open 4F1A", "baton reminders open 4F1A --json"],
        "reminders delete": ["baton reminders delete 4F1A", "baton reminders delete 4F1A --json"],
        "places list": ["baton places", "baton places list --json"],
        "places name": ["baton places name 2 Library", "baton places name 3 \"Aunt Mary\""],
        "places forget": ["baton places forget 2", "baton places forget 2 --json"],
        "location": ["baton location", "baton location Maps ask"],
        "links check": [
            "baton links check --fetch --url https://example.org/bread",
            "baton links check --file association.json --domain example.org",
        ],
        "links sign": [
            "baton links sign association.json --key key.pem --certificate certificate.pem",
            "baton links sign association.json --key key.pem --certificate certificate.pem --output signed",
        ],
        "explain search": [
            "baton explain search banana bread", "baton explain search bread --item com.example.reader/7",
        ],
        "explain records": [
            "baton explain records com.example.notes", "baton explain records com.example.notes notes 7",
        ],
    ]
}
