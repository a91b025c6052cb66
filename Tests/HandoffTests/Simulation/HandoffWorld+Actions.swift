import BatonCore
import BatonTestSupport
import BatonWire
import Handoff

/// What people, apps and accidents do.
extension HandoffWorld {
    mutating func act() throws {
        let device = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1:
            if let app = devices[device].installed.randomElement(using: &random),
                !devices[device].sessions.values.contains(app)
            {
                try attach(app, on: device)
            }
        case 2...6: try update(on: device)
        case 7: try resign(on: device)
        case 8: try invalidate(on: device)
        case 9...14: try accept(on: device)
        case 15: try crashApp(on: device)
        case 16: if faults { try crashDaemon(device) }
        case 17...18: if faults { try toggleLink(device) }
        default: if faults { devices[device].silentApps.toggle() }
        }
    }

    mutating func attach(_ app: ContinuationApp, on device: Int) throws {
        let session = SessionID.random(using: &random)
        devices[device].sessions[session] = app
        try perform(
            devices[device].machine.attach(session, app: app, canContinue: true, now: now, wall: wall(device)),
            on: device)
    }

    private mutating func anySession(_ device: Int) -> SessionID? {
        devices[device].sessions.keys.sorted().randomElement(using: &random)
    }

    private mutating func anyActivity(_ device: Int, _ session: SessionID) -> ActivityDescription? {
        devices[device].machine.localActivities.filter { $0.session == session }
            .map(\.activity.description).sorted { $0.id < $1.id }.randomElement(using: &random)
    }

    private mutating func update(on device: Int) throws {
        guard let session = anySession(device) else { return }
        var description =
            Bool.random(using: &random)
            ? anyActivity(device, session) : nil
        if description == nil {
            description = ActivityDescription(
                id: .random(using: &random), type: Self.types[Int.random(in: 0..<2, using: &random)])
        }
        guard var description else { return }
        description.title = "\(Int.random(in: 0..<100, using: &random))"
        description.isEligibleForHandoff = Int.random(in: 0..<8, using: &random) > 0
        description.expirationTime =
            Int.random(in: 0..<4, using: &random) == 0
            ? wall(device) + UInt64.random(in: 1...3000, using: &random) : nil
        try perform(
            devices[device].machine.update(
                session, description, makeCurrent: Int.random(in: 0..<4, using: &random) > 0, wall: wall(device)),
            on: device)
    }

    private mutating func resign(on device: Int) throws {
        guard let session = anySession(device), let activity = anyActivity(device, session) else { return }
        try perform(devices[device].machine.resign(session, activity.id, wall: wall(device)), on: device)
    }

    private mutating func invalidate(on device: Int) throws {
        guard let session = anySession(device), let activity = anyActivity(device, session) else { return }
        try perform(devices[device].machine.invalidate(session, activity.id, wall: wall(device)), on: device)
    }

    private mutating func accept(on device: Int) throws {
        guard let offer = devices[device].machine.visibleOffers.randomElement(using: &random) else { return }
        let acceptance = AcceptanceID.random(using: &random)
        do {
            let actions = try devices[device].machine.accept(offer.offer.activity.id, as: acceptance, now: now)
            started[acceptance] = (device, devices[device].life)
            try perform(actions, on: device)
        } catch let error as BatonError where error.code == .aborted {
            // It is being continued already.
        }
    }

    private mutating func crashApp(on device: Int) throws {
        guard let session = anySession(device) else { return }
        devices[device].sessions[session] = nil
        try perform(devices[device].machine.detach(session, now: now, wall: wall(device)), on: device)
    }

    /// Everything of the daemon is gone; its apps live on and attach again, with their activities.
    private mutating func crashDaemon(_ device: Int) throws {
        let old = devices[device].machine
        let incarnation = old.published.incarnation + 1
        devices[device].life += 1
        for peer in devices.indices where peer != device {
            try perform(devices[peer].machine.deviceDisconnected(devices[device].id), on: peer)
        }
        devices[device].machine = HandoffStateMachine(incarnation: incarnation)
        try perform(devices[device].machine.appsChanged(devices[device].installed), on: device)
        let apps = devices[device].sessions.sorted { $0.key < $1.key }
        devices[device].sessions = [:]
        for (session, app) in apps {
            try attach(app, on: device)
            guard let attached = devices[device].sessions.first(where: { $0.value == app })?.key else { continue }
            for entry in old.localActivities where entry.session == session {
                try perform(
                    devices[device].machine.update(
                        attached, entry.activity.description, makeCurrent: entry.isCurrent, wall: wall(device)),
                    on: device)
            }
        }
        connect(device)
    }

    private mutating func toggleLink(_ device: Int) throws {
        let other = Int.random(in: devices.indices, using: &random)
        guard other != device else { return }
        let pair = min(device, other) * 8 + max(device, other)
        if broken.contains(pair) {
            try join(min(device, other), max(device, other))
        } else {
            broken.insert(pair)
            try perform(devices[device].machine.deviceDisconnected(devices[other].id), on: device)
            try perform(devices[other].machine.deviceDisconnected(devices[device].id), on: other)
        }
    }

    mutating func join(_ a: Int, _ b: Int) throws {
        broken.remove(a * 8 + b)
        try perform(devices[a].machine.deviceConnected(devices[b].id), on: a)
        try perform(devices[b].machine.deviceConnected(devices[a].id), on: b)
        schedule(.milliseconds(1), .snapshot(devices[a].machine.published, from: a, to: b))
        schedule(.milliseconds(1), .snapshot(devices[b].machine.published, from: b, to: a))
    }

    /// A daemon that starts finds everybody that it can reach.
    mutating func connect(_ device: Int) {
        for peer in devices.indices where peer != device && !broken.contains(min(device, peer) * 8 + max(device, peer))
        {
            _ = devices[device].machine.deviceConnected(devices[peer].id)
            _ = devices[peer].machine.deviceConnected(devices[device].id)
            schedule(.milliseconds(1), .snapshot(devices[device].machine.published, from: device, to: peer))
            schedule(.milliseconds(1), .snapshot(devices[peer].machine.published, from: peer, to: device))
        }
    }
}
