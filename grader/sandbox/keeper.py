"""The keeper: a warm process in its jail that clones and watches children; started by `zygote`, described in `sandbox`."""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
from typing import Final

from grader.sandbox import child, descriptors, disguise, inside, jail, kernel, watch
from grader.sandbox.edition import edition
from grader.sandbox.messages import ENDED, MAX_PACKET_BYTES, RUN, Failed, Message, Settle, Settled, decode, encode

NUMBER: Final = struct.Struct("i")
ROOM_FOR_DESCRIPTORS: Final = socket.CMSG_SPACE(len(descriptors.OF_A_RUN) * NUMBER.size)


class Keeper:
    """Serves one worker, one child at a time."""

    def __init__(self, control: socket.socket, tier: int) -> None:
        self._control = control
        self._clone = kernel.Clone(jail.clone_flags(tier))
        self._walls = child.walls_of(tier, jail.strict_filter(tier))
        self._idle_bytes = self._bytes_of_an_idle_child()
        own = descriptors.own_of(tier)
        self._closed_in_child = [descriptor for descriptor in own if descriptor != descriptors.WALLS]

    def serve(self) -> bool:
        """Answer the worker until it goes. Returns True in a child that shall now run its request, else False."""
        while True:
            # Not recv_fds: it leaves a list that stays counted, and by their number a program could count the runs.
            packet, ancillary, _, _ = self._control.recvmsg(RUN.size, ROOM_FOR_DESCRIPTORS)
            if not packet:
                return False
            cpu_limit_ns, wall_limit_ns = RUN.unpack(packet)
            arrived = [number for _, _, numbers in ancillary for (number,) in NUMBER.iter_unpack(numbers)]
            if arrived != descriptors.OF_A_RUN:
                raise OSError(f"the descriptors of a run arrived as {arrived}")
            pid = self._clone()
            if pid == 0:
                child.grow_up(self._walls, self._closed_in_child)
                return True
            for descriptor in arrived:
                os.close(descriptor)
            self._bury(pid, cpu_limit_ns, wall_limit_ns)

    def let_go(self) -> None:
        """In a child: the number of the worker's socket is free, and may soon be another file's."""
        self._control.detach()

    def _bytes_of_an_idle_child(self) -> int:
        """What a child has in memory before it does anything: no learner pays for that."""
        pid = self._clone()
        if pid == 0:
            os._exit(0)
        os.close(self._clone.pidfd)
        _, _, usage = os.wait4(pid, 0)
        return usage.ru_maxrss * 1024

    def _bury(self, pid: int, cpu_limit_ns: int, wall_limit_ns: int) -> None:
        pidfd = self._clone.pidfd
        end = watch.until_gone(pid, pidfd, descriptors.CONTROL, cpu_limit_ns=cpu_limit_ns, wall_limit_ns=wall_limit_ns)
        os.close(pidfd)
        used_bytes = max(end.resident_bytes - self._idle_bytes, 0)
        walls = _read_walls()
        os.write(
            descriptors.CONTROL, ENDED.pack(end.wait_status, end.killer, walls, 0, end.cpu_ns, end.wall_ns, used_bytes)
        )


def _read_walls() -> int:
    """What the child that is now gone said of its walls; nothing if it did not get so far."""
    try:
        return os.read(descriptors.WALLS_READ, 1)[0]
    except BlockingIOError:
        return 0


def main() -> None:
    """Settle, serve, and in a child run the request; nothing of the keeper stands behind the child's code."""
    # Whatever the worker blocks or ignores, children must be waited for and signals must arrive.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # Where it will be; so whatever fails before that can be said as well.
    os.dup2(descriptors.STDIN, descriptors.CONTROL)
    is_child = False
    try:
        keeper = _settled_keeper(socket.socket(fileno=descriptors.STDIN))
        is_child = keeper.serve()
    except jail.NotJailedError as refusal:
        _say(Failed(str(refusal)))
        return
    except (watch.WorkerGoneError, ConnectionError):
        return
    except Exception as error:  # noqa: BLE001 -- the edge of the process, which has nowhere else to say it
        _say(Failed(f"the keeper cannot go on: {error!r}"))
        return
    if is_child:
        keeper.let_go()
        del keeper
        inside.run_and_leave()


def _settled_keeper(control: socket.socket) -> Keeper:
    """Load everything, warm up, and go to jail."""
    settle = decode(control.recv(MAX_PACKET_BYTES))
    if not isinstance(settle, Settle):
        raise TypeError(f"expected to be told a tier, got {settle}")
    if settle.edition != edition():
        raise jail.NotJailedError("its files have changed since this worker started: start the worker anew")
    inside.load_library()
    inside.open_standard_streams()
    control = _lay_out(control, settle.tier)
    disguise.put_on()
    # Last: what Python has learnt of a name, it forgets when names around it change.
    inside.walk()
    layers = jail.enter(settle)
    keeper = Keeper(control, settle.tier)
    gc.collect()
    gc.freeze()
    _say(Settled(layers))
    return keeper


def _say(message: Message) -> None:
    # Plain writing: no call that sends is allowed in the jail.
    os.write(descriptors.CONTROL, encode(message))


def _lay_out(control: socket.socket, tier: int) -> socket.socket:
    walls_read, walls = os.pipe()
    os.set_blocking(walls_read, False)
    own = [control.detach(), walls_read, walls]
    if descriptors.RULESET in descriptors.own_of(tier):
        own.append(kernel.landlock_ruleset())
    descriptors.lay_out(own)
    return socket.socket(fileno=descriptors.CONTROL)
