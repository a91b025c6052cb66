/// The findings in a status, by name.
extension Baton_Control_V1_GetStatusResponse {
    private static let named: Set = ["discovery", "sandbox", "desktop_bus", "desktop_names", "desktop_helper"]

    /// Those that have no name below.
    package var otherStages: [Baton_Link_V1_Stage] { stages.filter { !Self.named.contains($0.name) } }

    package func stage(_ name: String) -> Baton_Link_V1_Stage? { stages.first { $0.name == name } }

    /// Replaces the finding of this name.
    package mutating func setStage(_ name: String, _ verdict: Baton_Link_V1_Stage.Verdict, _ finding: String) {
        stages.removeAll { $0.name == name }
        stages.append(Baton_Link_V1_Stage(name, verdict, finding))
    }

    /// An obstacle to finding devices; empty for none.
    package var discovery: String {
        get { problem("discovery") }
        set { setProblem("discovery", newValue) }
    }

    /// The confinement of apps that are launched, as a sentence for people.
    package var sandbox: String {
        get { stage("sandbox")?.finding ?? "" }
        set { setStage("sandbox", stage("sandbox")?.verdict ?? .failed, newValue) }
    }

    /// True when the kernel confines them.
    package var sandboxed: Bool {
        get { stage("sandbox")?.verdict == .ok }
        set { setStage("sandbox", newValue ? .ok : .failed, sandbox) }
    }

    /// Why apps cannot be reached over the session bus; empty when they can.
    package var desktopBusProblem: String {
        get { problem("desktop_bus") }
        set { setProblem("desktop_bus", newValue) }
    }

    /// Which names on the session bus other programs have, as a sentence for people; empty where there is none.
    package var takenNames: String {
        get { problem("desktop_names") }
        set { setProblem("desktop_names", newValue) }
    }

    /// Whether questions of apps and launch images can be shown on the desktop, as a sentence for people.
    package var desktopHelper: String {
        get { stage("desktop_helper")?.finding ?? "" }
        set { setStage("desktop_helper", stage("desktop_helper")?.verdict ?? .failed, newValue) }
    }

    /// True when they can, or are shown now.
    package var desktopHelperAvailable: Bool {
        get { stage("desktop_helper")?.verdict == .ok }
        set { setStage("desktop_helper", newValue ? .ok : .failed, desktopHelper) }
    }

    private func problem(_ name: String) -> String {
        stage(name).map { $0.verdict == .ok ? "" : $0.finding } ?? ""
    }

    private mutating func setProblem(_ name: String, _ problem: String) {
        setStage(name, problem.isEmpty ? .ok : .failed, problem)
    }
}
