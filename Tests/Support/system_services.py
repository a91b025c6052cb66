#!/usr/bin/env python3
"""Stands for UPower and NetworkManager on a bus of a test, with python-dbusmock.

Standard input: `battery yes|no`, `lid yes|no`, `network NAME [TYPE]`, `metered NUMBER`, `none`, `lie` (properties of wrong types).
SystemServices of BatonTestSupport runs it.
"""

import ctypes, signal, subprocess, sys, time
import dbus

MOCK = "org.freedesktop.DBus.Mock"
POWER, POWER_PATH = "org.freedesktop.UPower", "/org/freedesktop/UPower"
NETWORK, NETWORK_PATH = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
ACTIVE = NETWORK + ".Connection.Active"

def main():
    # They end with this program, however that ends (PR_SET_PDEATHSIG).
    follow = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    commands = [["--template", "upower"], [NETWORK, NETWORK_PATH, NETWORK]]
    servers = [
        subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--system"] + command, stdout=subprocess.DEVNULL, preexec_fn=follow)
        for command in commands
    ]
    try:
        bus = dbus.SystemBus()
        for _ in range(400):
            if bus.name_has_owner(POWER) and bus.name_has_owner(NETWORK):
                break
            time.sleep(0.05)
        power = dbus.Interface(bus.get_object(POWER, POWER_PATH), MOCK)
        network = dbus.Interface(bus.get_object(NETWORK, NETWORK_PATH), MOCK)
        # UpdateProperties of this version takes no object paths.
        values = dbus.Interface(bus.get_object(NETWORK, NETWORK_PATH), "org.freedesktop.DBus.Properties")
        primary = lambda value: values.Set(NETWORK, "PrimaryConnection", value)
        network.AddProperties(NETWORK, {"PrimaryConnection": dbus.ObjectPath("/"), "Metered": dbus.UInt32(4)})
        count = 0
        print("ready", flush=True)
        for line in sys.stdin:
            words = line.split()
            if words[0] == "battery":
                power.UpdateProperties(POWER, {"OnBattery": words[1] == "yes"})
            elif words[0] == "lid":
                power.UpdateProperties(POWER, {"LidIsClosed": words[1] == "yes"})
            elif words[0] == "network":
                count += 1
                path = f"{NETWORK_PATH}/ActiveConnection/{count}"
                properties = {"Id": words[1], "Uuid": f"uuid-{words[1]}", "Type": (words + ["802-11-wireless"])[2]}
                network.AddObject(path, ACTIVE, properties, dbus.Array([], "(ssss)"))
                primary(dbus.ObjectPath(path))
            elif words[0] == "metered":
                network.UpdateProperties(NETWORK, {"Metered": dbus.UInt32(int(words[1]))})
            elif words[0] == "none":
                primary(dbus.ObjectPath("/"))
            elif words[0] == "lie":
                power.UpdateProperties(POWER, {"OnBattery": "perhaps"})
                primary(dbus.UInt32(7))
            print("done " + words[0], flush=True)
    finally:
        for server in servers:
            server.kill()

main()
