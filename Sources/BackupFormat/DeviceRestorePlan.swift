package import BatonCore

/// The restore of a whole device: what is to be done yet, in its order. A value that is kept on the disk after each step, so that a
/// restore that was cut goes on.
package struct DeviceRestorePlan: Codable, Hashable, Sendable {
    package struct Step: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case settings
            case bundle
            case app
            case folder
        }
        package var kind: Kind
        /// The name of the snapshot's root.
        package var name: String

        package init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }

        // Names are paths, which are bytes.
        package static func == (one: Step, other: Step) -> Bool {
            one.kind == other.kind && one.name.isPath(other.name)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(Array(name.utf8))
        }
    }

    /// The snapshot's whole name.
    package var snapshot: String
    /// The directory, `cloud`, or the address of a cloud.
    package var target: String
    package var replaces: Bool
    /// It was begun with the recovery code, which is never kept: it goes on when it is given again.
    package var needsCode: Bool
    /// Its caller stopped it.
    package var isPaused = false
    /// In nanoseconds since 1970. Nil in plans of versions that did not keep it.
    package private(set) var begun: Int64?
    /// The first is being done.
    package private(set) var pending: [Step]

    /// Settings first, then apps' bundles, so that apps can be opened, then their containers in the order of the snapshot, which is that of their last use, then folders.
    package init(
        _ snapshot: BackupSnapshot, target: String, replaces: Bool, needsCode: Bool, without skipped: Set<String> = [],
        begun: Int64? = nil
    ) {
        self.begun = begun
        self.snapshot = "\(snapshot.id)"
        self.target = target
        self.replaces = replaces
        self.needsCode = needsCode
        let steps = snapshot.roots.filter { !skipped.contains($0.name) }.map { root in
            let kind: Step.Kind =
                switch root.kind {
                case .settings: .settings
                case .bundle: .bundle
                case .app: .app
                case .folder: .folder
                }
            return Step(kind, root.name)
        }
        pending = [.settings, .bundle, .app, .folder].flatMap { kind in steps.filter { $0.kind == kind } }
    }

    /// ``target`` is the address of a cloud, for which the code is needed.
    package var isFromAddress: Bool { needsCode && !target.hasPrefix("/") }

    package var next: Step? { pending.first }

    package func isPending(_ app: BundleID) -> Bool { pending.contains(Step(.app, app.rawValue)) }

    /// A person waits for an app: it comes before all that is not settings.
    package mutating func want(_ app: BundleID) {
        let step = Step(.app, app.rawValue)
        guard let place = pending.firstIndex(of: step) else { return }
        pending.remove(at: place)
        pending.insert(step, at: pending.firstIndex { $0.kind != .settings } ?? pending.endIndex)
    }

    package mutating func finish(_ step: Step) { pending.removeAll { $0 == step } }
}
