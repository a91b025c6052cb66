import BatonDaemon

await BatondCommand.start()
