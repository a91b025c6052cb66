import BatonDaemon

await BatondCommand.main()
