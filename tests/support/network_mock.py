"""NetworkManager with one radio, as nmcli sees it, and networks that know their password: a template of dbusmock.

Adds to its template `networkmanager` what that lacks: files that are loaded, a scan that ends, and activations that
fail for the reasons that the real one gives. Run by the system's Python: `python3 -m dbusmock -t THIS_FILE`, with the
networks as JSON in $NETWORKS.
Refuses to activate anything while a password stands in a command line or an environment.
"""

# ruff: noqa: ANN401 - what comes over D-Bus has no types

import configparser
import json
import os
import re
import time
from itertools import count
from pathlib import Path
from typing import Any

import dbus
import dbusmock
from dbusmock.templates import networkmanager as base
from dbusmock.templates.networkmanager import *  # noqa: F403 - its methods are ours
from gi.repository import GLib

BUS_NAME, MAIN_OBJ, SYSTEM_BUS, IS_OBJECT_MANAGER = base.BUS_NAME, base.MAIN_OBJ, True, True
ACTIVATING, ACTIVATED, DEACTIVATED, DEVICE_DISCONNECTED = 1, 2, 4, 3  # NMActiveConnectionState, and a reason
FAILED, NO_ADDRESS, NO_SECRETS, USER_REQUESTED, NOT_FOUND = 120, 5, 7, 39, 53  # NMDeviceState, NMDeviceStateReason
FLAGS = {"psk": 0x100, "eap": 0x200, "sae": 0x400, "open": 0}  # NM80211ApSecurityFlags
ACTIVATION_MS = 50
known: dict[str, Any] = {}
numbers = count()


def load(mock: Any, parameters: Any) -> None:
    base.load(mock, parameters)
    manager, settings = dbusmock.get_object(base.MANAGER_OBJ), dbusmock.get_object(base.SETTINGS_OBJ)
    manager.activate_connection, manager.deactivate_connection = activate, deactivate
    settings.load_files = load_files
    loading = "ret = (True, self.load_files(self, args[0]))"
    settings.AddMethod(base.SETTINGS_IFACE, "LoadConnections", "as", "bas", loading)
    networks = json.loads(Path(os.environ["NETWORKS"]).read_text())
    if not networks:
        return
    radio = manager.AddWiFiDevice("radio", "wlan0", base.DeviceState.DISCONNECTED)
    device = dbusmock.get_object(radio)
    device.scan = scan
    device.AddProperties(base.WIRELESS_DEVICE_IFACE, {"LastScan": dbus.Int64(1)})
    device.AddMethod(base.WIRELESS_DEVICE_IFACE, "RequestScan", "a{sv}", "", "self.scan(self)")
    for number, network in enumerate(networks):
        known[network["ssid"]] = network
        flags = dbus.UInt32(FLAGS[network.get("keys", "psk")])
        place = radio, f"ap{number}", network["ssid"], f"00:00:00:00:00:{number:02x}"
        manager.AddAccessPoint(*place, 2, 2437, 54000, dbus.Byte(network["strength"]), flags)


def scan(device: Any) -> None:
    now_ms = dbus.Int64(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
    device.Set(base.WIRELESS_DEVICE_IFACE, "LastScan", now_ms)


def load_files(settings: Any, paths: Any) -> Any:
    for path in paths:
        file = configparser.ConfigParser(interpolation=None, delimiters="=", comment_prefixes="#")
        file.read(path, encoding="utf-8")
        ssid = bytes(int(byte) for byte in file["wifi"]["ssid"].split(";") if byte)
        psk = re.sub(
            r"\\(.)", lambda found: " " if found[1] == "s" else found[1], file.get("wifi-security", "psk", fallback="")
        )
        uuid, mode = file["connection"]["uuid"], file["wifi"].get("mode", "infrastructure")
        loaded = {
            "connection": {"id": file["connection"]["id"], "uuid": uuid, "type": "802-11-wireless"},
            "802-11-wireless": {"ssid": dbus.ByteArray(ssid), "mode": mode},
            "loaded": {"ssid": ssid.decode(), "psk": psk, "mode": mode},
        }
        for old in settings.Get(base.SETTINGS_IFACE, "Connections"):
            if dbusmock.get_object(old).settings["connection"]["uuid"] == uuid:
                dbusmock.get_object(old).settings = loaded
                break
        else:
            settings.SettingsAddConnection(loaded)
    return dbus.Array([], signature="s")


def activate(_: Any, connection: Any, device: Any, _specific: Any) -> Any:
    loaded, manager = dbusmock.get_object(connection).settings["loaded"], dbusmock.get_object(base.MANAGER_OBJ)
    if loaded["psk"] and is_seen(loaded["psk"]):
        raise dbus.exceptions.DBusException("the password is in sight", name=f"{base.MANAGER_IFACE}.Failed")
    for active in list(manager.Get(base.MANAGER_IFACE, "ActiveConnections")):
        manager.RemoveActiveConnection(device, active)
    name = f"made{next(numbers)}"
    path = manager.AddActiveConnection([device], connection, "/", name, dbus.UInt32(ACTIVATING))
    GLib.timeout_add(ACTIVATION_MS, end, path, device, 0 if loaded["mode"] == "ap" else reason(loaded))
    return dbus.ObjectPath(path)


def deactivate(_: Any, path: Any) -> None:
    device = dbusmock.get_object(path).Get(base.ACTIVE_CONNECTION_IFACE, "Devices")[0]
    GLib.timeout_add(ACTIVATION_MS, end, path, device, USER_REQUESTED)


def reason(loaded: Any) -> int:
    network = known[loaded["ssid"]]
    if network.get("gone"):
        return NOT_FOUND
    if network.get("password", "") != loaded["psk"]:
        return NO_SECRETS
    return NO_ADDRESS if network.get("mute") else 0


def is_seen(password: str) -> bool:
    for process in Path("/proc").glob("[0-9]*"):
        for file in ("cmdline", "environ"):
            try:
                if password.encode() in (process / file).read_bytes():
                    return True
            except OSError:
                continue
    return False


def end(path: str, device: str, why: int) -> bool:
    manager, active, own = (dbusmock.get_object(one) for one in (base.MANAGER_OBJ, path, device))
    state, cause = (DEACTIVATED, DEVICE_DISCONNECTED) if why else (ACTIVATED, 0)
    if why:
        own.Set(base.DEVICE_IFACE, "State", dbus.UInt32(FAILED))
        own.Set(base.DEVICE_IFACE, "StateReason", (dbus.UInt32(FAILED), dbus.UInt32(why)))
    active.Set(base.ACTIVE_CONNECTION_IFACE, "State", dbus.UInt32(state))
    changed = [dbus.UInt32(state), dbus.UInt32(cause)]
    active.EmitSignal(base.ACTIVE_CONNECTION_IFACE, "StateChanged", "uu", changed)
    if why:
        manager.RemoveActiveConnection(device, path)
    return False
