extension NSUserActivity {
    /// The interaction that leads back here: set by the system before the delegate is asked to continue an activity from a
    /// person's card (P-55); nil for every other activity. Intents'.
    public var interaction: INInteraction? { snapshot.interaction }

    /// Where a shortcut to the activity may be suggested; nowhere at first. Stays on this device. Intents'.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { snapshot.shortcutAvailability }
        set { update { $0.shortcutAvailability = newValue } }
    }
}
