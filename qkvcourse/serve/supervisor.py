"""The parent of every service: passes their lines on, starts again what dies, and stops all in order."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType

from qkvcourse.serve.guard import Guard
from qkvcourse.serve.output import Outputs, say
from qkvcourse.serve.processes import Program, Service, StartError, end_sessions, start

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TICK_SECONDS = 0.25
DEATHS_ALLOWED = 5
DEATHS_WITHIN_SECONDS = 60.0
SHORT_PAUSE_SECONDS = 0.5
LONG_PAUSE_SECONDS = 60.0
LAST_WORDS_SECONDS = 1.0


@dataclass(slots=True)
class Supervisor:
    """Keeps services running until it is told to stop."""

    guard: Guard
    stop_requests: int = 0
    # In the order of their first start; a service that waits to be started again keeps its place.
    _services: dict[str, Service] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)
    _deaths: dict[str, deque[float]] = field(default_factory=dict)
    _outputs: Outputs = field(default_factory=Outputs)

    def listen(self) -> None:
        """React to the signals that end the site, and wake up when a child ends."""
        reading_end, writing_end = os.pipe()
        os.set_blocking(reading_end, False)
        os.set_blocking(writing_end, False)
        signal.set_wakeup_fd(writing_end, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._note_stop_request)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._outputs.wake_up_on(reading_end)

    def start(self, program: Program) -> Service:
        """Start a service and keep it running."""
        service = self._services[program.name] = self._launch(program)
        return service

    def run_once(self, program: Program) -> tuple[int, list[str]]:
        """Run a program to its end; return its exit status and the lines it printed."""
        service = self._launch(program)
        printed = []
        while self._outputs.is_open(service.process) and not self.stop_requests:
            printed += list(self._pass_on(keeping=program.name))
        self._end(service)
        return service.process.returncode, printed

    def tick(self) -> None:
        """Pass on what the services have to say, and start again those that died."""
        self._pump()
        for name, service in list(self._services.items()):
            if name not in self._due and service.process.poll() is not None:
                self._note_death(service)
        for name, moment in list(self._due.items()):
            if time.monotonic() >= moment and not self.stop_requests:
                del self._due[name]
                self.start(self._services[name].program)

    def stop_all(self) -> None:
        """Stop every service, the last started first; a second request cuts the waiting short."""
        while self._services:
            _name, service = self._services.popitem()
            self._end(service)
        self.guard.dismiss()

    def _note_stop_request(self, _number: int, _frame: FrameType | None) -> None:
        self.stop_requests += 1

    def _launch(self, program: Program) -> Service:
        service = start(program)
        self.guard.watch(service.session)
        self._outputs.add(program.name, service.process)
        return service

    def _note_death(self, dead: Service) -> None:
        self._pump()
        self._end(dead)
        if self.stop_requests:
            return
        name, status, pause = dead.program.name, dead.process.returncode, SHORT_PAUSE_SECONDS
        if self._keeps_dying(name):
            if dead.program.is_essential:
                raise StartError(f"{name} keeps ending (status {status}); its last words are above")
            pause = LONG_PAUSE_SECONDS
        say("serve", f"{name} ended with status {status}; it is started again in {pause:g} s")
        self._due[name] = time.monotonic() + pause

    def _keeps_dying(self, name: str) -> bool:
        now = time.monotonic()
        deaths = self._deaths.setdefault(name, deque())
        deaths.append(now)
        while deaths[0] < now - DEATHS_WITHIN_SECONDS:
            deaths.popleft()
        return len(deaths) > DEATHS_ALLOWED

    def _end(self, service: Service) -> None:
        """Ask the program to stop, wait as long as it may take, then end whatever is left of its session."""
        process, requests_before = service.process, self.stop_requests
        deadline = time.monotonic() + service.program.patience_seconds
        if process.poll() is None:
            process.send_signal(service.program.stop_signal)
        while process.poll() is None:
            self._pump()
            if time.monotonic() > deadline or self.stop_requests > max(requests_before, 1):
                process.kill()
                process.wait()
        end_sessions({service.session}, patience_seconds=0)
        self.guard.forget(service.session)
        last_words_until = time.monotonic() + LAST_WORDS_SECONDS
        while self._outputs.is_open(process) and time.monotonic() < last_words_until:
            self._pump()
        self._outputs.remove(process)

    def _pump(self) -> None:
        for _line in self._pass_on(keeping=""):
            pass

    def _pass_on(self, *, keeping: str) -> Iterator[str]:
        """Print the lines that have arrived, but yield those of the one service that is to be kept."""
        for line in self._outputs.lines(TICK_SECONDS):
            if line.name == keeping:
                yield line.text
            else:
                say(line.name, line.text)
