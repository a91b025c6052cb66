import KeyValue

extension KeyValueWorld {
    // MARK: The network

    mutating func deliver() throws {
        guard !messages.isEmpty else { return }
        let index = Int.random(in: 0..<messages.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: messages.remove(at: index)
        case 1: try handle(messages[index])
        default: try handle(messages.remove(at: index))
        }
    }

    mutating func handle(_ message: Message) throws {
        switch message {
        case .push(let device, let batch, let stay):
            let answer = cloud.write(batch)
            if case .written = answer { statistics.writes += 1 } else { statistics.conflicts += 1 }
            statistics.deletions += batch.count { $0.isDeletion }
            messages.append(.pushed(to: device, answer, stay: stay))
        case .pushed(let device, let answer, let stay):
            guard stay == devices[device].stay else { return }
            switch answer {
            case .written(let items): try apply(devices[device].replica.written(items), device)
            case .conflicts(let items): try apply(devices[device].replica.received(items, wall: time(device)), device)
            }
        case .pull(let device, let cursor, let began, let number):
            let page = cloud.changes(since: cursor, began: began, limit: 2)
            messages.append(.pulled(to: device, page, from: cursor, number: number))
        case .pulled(let device, let page, let from, let number):
            guard number == devices[device].pull, from == devices[device].cursor else { return }
            statistics.pages += 1
            try pulled(page, device)
        case .exchange(let device, let entries):
            statistics.exchanges += 1
            try apply(devices[device].replica.exchanged(entries, wall: time(device)), device)
        }
    }

    mutating func pulled(_ page: Page?, _ device: Int) throws {
        guard let page else {
            statistics.restarts += 1
            devices[device].cursor = 0
            devices[device].disk.cursor = 0
            devices[device].startsOver = []
            devices[device].stay += 1
            return
        }
        try apply(devices[device].replica.received(page.items, wall: time(device)), device)
        devices[device].startsOver?.formUnion(page.items.map(\.key))
        devices[device].cursor = page.cursor
        devices[device].began = page.began
        if devices[device].startsOver == nil {
            devices[device].disk.cursor = page.cursor
            devices[device].disk.began = page.began
        }
        guard !page.more else { return }
        if let held = devices[device].startsOver {
            try apply(devices[device].replica.startedOver(holding: held, wall: time(device)), device)
            devices[device].startsOver = nil
            devices[device].disk.cursor = page.cursor
            devices[device].disk.began = page.began
        }
        try apply(devices[device].replica.initialDownloadEnded(), device)
        devices[device].disk.phase = devices[device].replica.phase
    }

    mutating func apply(_ actions: [KeyValueAction], _ index: Int) throws {
        for action in actions {
            switch action {
            case .save(let slots):
                for (key, slot) in slots { devices[index].disk.slots[key] = slot }
            case .announce(let reason, let keys):
                guard Set(keys).count == keys.count else {
                    throw Violation(description: "a key was announced twice at once")
                }
                if reason == .initialSync { statistics.dropped += keys.count }
                for key in keys { devices[index].told[key] = devices[index].replica.value(forKey: key) }
            case .push:
                devices[index].wantsPush = true
            }
        }
    }
}
