"""The parent of every service: passes their lines on, starts again what dies, and stops all in order."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from types import FrameType

from qkvcourse.serve.guard import Guard
from qkvcourse.serve.processes import Program, Service, StartError, end_sessions, start

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TICK_SECONDS = 0.5
DEATHS_ALLOWED = 5
DEATHS_WITHIN_SECONDS = 60.0
RESTART_PAUSE_SECONDS = 0.5
NAME_WIDTH = 8


@dataclass(slots=True)
class Supervisor:
    """Keeps services running until it is told to stop."""

    guard: Guard
    services: list[Service] = field(default_factory=list)
    stop_requests: int = 0
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _half_lines: dict[int, bytes] = field(default_factory=dict)
    _deaths: deque[float] = field(default_factory=deque)

    def listen(self) -> None:
        """React to the signals that end the site, and wake up when a child ends."""
        reading_end, writing_end = os.pipe()
        os.set_blocking(reading_end, False)
        os.set_blocking(writing_end, False)
        signal.set_wakeup_fd(writing_end, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._note_stop_request)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._selector.register(reading_end, selectors.EVENT_READ, None)

    def _note_stop_request(self, _number: int, _frame: FrameType | None) -> None:
        self.stop_requests += 1

    def start(self, program: Program) -> Service:
        """Start a service and keep it."""
        service = self._launch(program)
        self.services.append(service)
        return service

    def run_once(self, program: Program) -> tuple[int, list[str]]:
        """Run a program to its end; return its exit status and the lines it printed."""
        service = self._launch(program)
        lines: list[str] = []
        while service.process.stdout and service.process.stdout.fileno() in self._selector.get_map():
            lines += [line for name, line in self._ready_lines() if name == program.name]
            if self.stop_requests:
                break
        self._stop(service)
        return service.process.returncode, lines

    def tick(self) -> None:
        """Pass on what the services have to say, and start again those that died."""
        self.pump()
        for position, service in enumerate(self.services):
            if service.process.poll() is not None and not self.stop_requests:
                self.services[position] = self._start_again(service)

    def pump(self) -> None:
        """Print the lines that have arrived, waiting a moment for some."""
        for name, line in self._ready_lines():
            say(name, line)

    def stop_all(self) -> None:
        """Stop every service, the last started first; a second request cuts the waiting short."""
        while self.services:
            self._stop(self.services.pop())
        self.guard.dismiss()

    def _launch(self, program: Program) -> Service:
        service = start(program)
        self.guard.watch(service.session)
        if service.process.stdout is None:
            raise StartError(f"{program.name} has no output to read")
        os.set_blocking(service.process.stdout.fileno(), False)
        self._selector.register(service.process.stdout, selectors.EVENT_READ, program.name)
        return service

    def _start_again(self, dead: Service) -> Service:
        now = time.monotonic()
        self._deaths.append(now)
        while self._deaths[0] < now - DEATHS_WITHIN_SECONDS:
            self._deaths.popleft()
        name = dead.program.name
        if len(self._deaths) > DEATHS_ALLOWED:
            raise StartError(f"{name} keeps ending (status {dead.process.returncode}); its last words are above")
        say("serve", f"{name} ended with status {dead.process.returncode}; starting it again")
        self._stop(dead)
        time.sleep(RESTART_PAUSE_SECONDS)
        return self._launch(dead.program)

    def _stop(self, service: Service) -> None:
        requests_before = self.stop_requests
        deadline = time.monotonic() + service.program.patience_seconds
        if service.process.poll() is None:
            service.process.send_signal(service.program.stop_signal)
        while service.process.poll() is None:
            self.pump()
            if time.monotonic() > deadline or self.stop_requests > max(requests_before, 1):
                service.process.kill()
                service.process.wait()
        end_sessions({service.session}, patience_seconds=0)
        self.guard.forget(service.session)
        self._forget_output(service.process)

    def _ready_lines(self) -> list[tuple[str, str]]:
        lines = []
        for key, _events in self._selector.select(TICK_SECONDS):
            arrived = os.read(key.fd, 65536)
            if key.data is None:
                continue
            if not arrived:
                self._selector.unregister(key.fileobj)
            *whole, rest = (self._half_lines.pop(key.fd, b"") + arrived).split(b"\n")
            if arrived:
                self._half_lines[key.fd] = rest
            elif rest:
                whole.append(rest)
            lines += [(str(key.data), line.decode("utf-8", "replace")) for line in whole if line.strip()]
        return lines

    def _forget_output(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout and not process.stdout.closed:
            if process.stdout.fileno() in self._selector.get_map():
                self._selector.unregister(process.stdout)
            self._half_lines.pop(process.stdout.fileno(), None)
            process.stdout.close()


def say(name: str, line: str) -> None:
    """Print one line of one service."""
    sys.stdout.write(f"{name:<{NAME_WIDTH}}| {line}\n")
    sys.stdout.flush()
