import BatonCloud

await CloudCommand.start()
