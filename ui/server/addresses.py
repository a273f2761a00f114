"""The addresses of this machine in its networks, from the list of its interfaces: nothing is sent to find them."""

import ipaddress
import socket


def own_addresses() -> tuple[str, ...]:
    """The IPv4 addresses under which others in the network reach this machine; those of home networks come first."""
    import psutil  # start-up time of the app without --share-lan

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    addresses = {
        ipaddress.IPv4Address(entry.address)
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if name in up and entry.family is socket.AF_INET
    }
    usable = (address for address in addresses if not address.is_loopback and not address.is_link_local)
    return tuple(map(str, sorted(usable, key=lambda address: (not address.is_private, address))))
