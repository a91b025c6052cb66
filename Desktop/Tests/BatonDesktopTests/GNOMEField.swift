import Foundation

/// A field of the shell of GNOME, on Wayland, and a person at its keyboard.
struct GNOMEField: Sendable {
    let shell: GNOMEShell

    private static let imports =
        "const {Clutter, Gio, GLib, St} = imports.gi; "
        + "const sources = imports.ui.status.keyboard.getInputSourceManager(); "

    /// Chooses Baton's engine behind a layout, and makes a field that has the focus.
    func prepare() async throws {
        _ = try await evaluate(
            "new Gio.Settings({schema_id: 'org.gnome.desktop.input-sources'}).set_value('sources', "
                + "new GLib.Variant('a(ss)', [['xkb', 'us'], ['ibus', 'baton']])); true")
        try await shell.until("the engine to be known to the shell") {
            try await evaluate("sources.inputSources[1]?.id ?? ''") == "\"baton\""
        }
        _ = try await evaluate("sources.inputSources[1].activate(true); true")
        try await shell.until("the engine to be active") {
            try await evaluate("sources._ibusManager._currentEngineName ?? ''") == "\"baton\""
        }
        _ = try await evaluate(
            "Main.overview.hide(); global.field = new St.Entry({can_focus: true}); "
                + "Main.layoutManager.addTopChrome(global.field); Main.pushModal(global.field); "
                + "global.stage.set_key_focus(global.field.clutter_text); "
                + "global.keys = Clutter.get_default_backend().get_default_seat().create_virtual_device("
                + "Clutter.InputDeviceType.KEYBOARD_DEVICE); true")
    }

    func type(_ text: String) async throws {
        for scalar in text.unicodeScalars { try await press(scalar.value) }
    }

    func press(_ key: UInt32) async throws {
        for state in ["PRESSED", "RELEASED"] {
            _ = try await evaluate(
                "global.keys.notify_keyval(GLib.get_monotonic_time(), \(key), Clutter.KeyState.\(state)); true")
        }
    }

    func has(_ text: String) async throws {
        let wanted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await shell.until("“\(text)” in the field") {
            try await evaluate("global.field.get_text() == \(wanted)") == "true"
        }
    }

    /// Waits until the shell shows this below the field.
    func isShown(_ text: String) async throws {
        let wanted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await shell.until("“\(text)” to be shown") {
            try await evaluate(
                "const popup = sources._ibusManager._candidatePopup; popup.visible && popup._auxText.text == \(wanted)")
                == "true"
        }
    }

    private func evaluate(_ script: String) async throws -> String { try await shell.evaluate(Self.imports + script) }
}
