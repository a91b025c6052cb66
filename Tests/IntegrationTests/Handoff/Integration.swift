import Testing

/// Everything with real daemons: one test at a time, as root.
@Suite(.serialized) enum Integration {}
