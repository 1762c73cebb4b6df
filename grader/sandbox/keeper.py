"""The keeper: a warm process that makes, watches and buries children; started by `zygote`, described in `sandbox`."""

from __future__ import annotations

import gc
import os
import signal
import socket
from contextlib import suppress

from grader.sandbox import disguise, inside, jail, kernel, nursery, watch
from grader.sandbox.layers import Layer
from grader.sandbox.messages import MAX_PACKET_BYTES, Ended, Failed, Go, Message, Prepare, Ready, decode, encode


class Keeper:
    """Serves one worker, one child at a time."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._child: nursery.Child | None = None
        self._layers: dict[str, str] = {}
        with suppress(OSError):
            kernel.join_new_session_keyring()
            self._layers[Layer.OWN_KEYRING] = "none of the worker's keys"
        # No process without special rights may look into this one, whatever its uid.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)

    def serve(self) -> bool:
        """Answer the worker until it goes. Returns True in a child that shall now run its request, else False."""
        while packet := self._control.recv(MAX_PACKET_BYTES):
            message = decode(packet)
            if isinstance(message, Prepare):
                if self._child is not None:
                    watch.end(self._child)
                self._child = nursery.bear(message)
                if self._child is None:
                    return True
                self._send_ready(self._child)
            elif isinstance(message, Go):
                self._run(message)
        if self._child is not None:
            watch.end(self._child)
        return False

    def fail(self, reason: str) -> None:
        """Tell the worker that nothing more will come."""
        self._send(Failed(reason))

    def _send_ready(self, waiting: nursery.Child) -> None:
        ready = Ready(waiting.pid, waiting.layers | self._layers)
        socket.send_fds(self._control, [encode(ready)], list(waiting.memory_files))
        for descriptor in waiting.memory_files:
            os.close(descriptor)

    def _run(self, go: Go) -> None:
        waiting, self._child = self._child, None
        if waiting is None:
            self.fail("there is no child to run")
            return
        try:
            ended: Ended = watch.run(waiting, go, self._control.fileno())
        except watch.ChildLostError:
            self.fail("the child that waited for this run is gone")
            return
        watch.release(waiting)
        self._send(ended)

    def _send(self, message: Message) -> None:
        self._control.send(encode(message))


def main() -> None:
    """Warm up, serve, and in a child run the request; nothing of the keeper stands behind the child's code."""
    # Whatever the worker blocks or ignores, children must be waited for and signals must arrive.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    control = socket.socket(fileno=0)
    keeper = Keeper(control)
    jail.warm_up()
    inside.warm_up()
    inside.open_standard_streams()
    disguise.put_on()
    gc.collect()
    gc.freeze()
    try:
        is_child = keeper.serve()
    except nursery.NotJailedError as refusal:
        keeper.fail(str(refusal))
        return
    except (watch.WorkerGoneError, ConnectionError):
        return
    except OSError as error:
        keeper.fail(f"the keeper was refused something it needs: {error}")
        return
    if is_child:
        # The number of the worker's socket belongs to another file in here: it must not be closed by accident.
        control.detach()
        del keeper, control
        inside.run_and_leave()
