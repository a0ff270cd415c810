"""What a sandboxed program may ask of the kernel of the machine: a filter for bubblewrap.

Most of what is refused makes memory that is no process's own and no file's, so that no limit would
count it. In a namespace of its own a program could mount folders of any size. Its connections to us
belong to the network outside, and would name the cards and addresses there.
"""

from __future__ import annotations

import platform
from errno import EAFNOSUPPORT, ENOSYS, EPERM
from struct import pack

# The calls' numbers in <asm/unistd_64.h> and <asm-generic/unistd.h>, the tags of <linux/audit.h>.
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
}
CLONE, CLONE3, SOCKET, SETSOCKOPT = (56, 220), (435, 435), (41, 198), (54, 208)
IOCTL, NETWORK = (16, 29), (0x8910, 0x8C00)
"""What is asked of a socket about its network, from the first to before the last."""
NEW_USER = 0x10000000
SIZES = (7, 8)
"""SO_SNDBUF and SO_RCVBUF: what waits in a socket is small as long as nobody sets them."""
FAMILIES = (1, 2, 16)
"""Of sockets: Unix, IPv4 and netlink, which a kernel of Jupyter needs to talk to itself."""

# struct seccomp_data: the call's number, the machine, ..., the lower halves of its arguments.
NUMBER, MACHINE, ARGUMENTS = 0, 4, (16, 24, 32)
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def program() -> bytes:
    """The filter, as bubblewrap reads it from ``--seccomp``."""
    column, machine = MACHINES[platform.machine()]
    steps = [
        _step(LOAD, MACHINE),
        # Programs for another machine number their calls in other ways.
        _step(EQUAL, machine, yes=1),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        # So do those of x32, all from here on.
        *_if(AT_LEAST, 0x40000000, ERROR | EPERM),
    ]
    for numbers in REFUSED.values():
        steps += _if(EQUAL, numbers[column], ERROR | EPERM)
    # Its flags are out of sight. libc then takes clone.
    steps += _if(EQUAL, CLONE3[column], ERROR | ENOSYS)
    flags = [
        _step(LOAD, ARGUMENTS[0]),
        *_if(ANY_BIT, NEW_USER, ERROR | EPERM),
        _step(RETURN, ALLOW),
    ]
    family = [
        _step(LOAD, ARGUMENTS[0]),
        *(step for one in FAMILIES for step in _if(EQUAL, one, ALLOW)),
        _step(RETURN, ERROR | EAFNOSUPPORT),
    ]
    option = [
        _step(LOAD, ARGUMENTS[2]),
        *(step for one in SIZES for step in _if(EQUAL, one, ERROR | EPERM)),
        _step(RETURN, ALLOW),
    ]
    network = [
        _step(LOAD, ARGUMENTS[1]),
        *_if(AT_LEAST, NETWORK[1], ALLOW),
        *_if(AT_LEAST, NETWORK[0], ERROR | EPERM),
        _step(RETURN, ALLOW),
    ]
    special = ((CLONE, flags), (SOCKET, family), (SETSOCKOPT, option), (IOCTL, network))
    for numbers, inner in special:
        steps += [_step(EQUAL, numbers[column], no=len(inner)), *inner]
    return b"".join([*steps, _step(RETURN, ALLOW)])


def _if(test: int, value: int, answer: int) -> list[bytes]:
    """Answer so where the test holds, and go on where it does not."""
    return [_step(test, value, no=1), _step(RETURN, answer)]


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """An instruction; a test skips so many of the next ones."""
    return pack("=HBBI", code, yes, no, value)
