"""Files that come with a form: the first bytes of each, held in memory."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from exercises.services.code_text import MOST_FILE_BYTES
from exercises.services.csv_table import MOST_BYTES as MOST_SHEET_BYTES


class BoundedUploadHandler(FileUploadHandler):
    """Keeps one byte more than a program, or a `sheet`, may have, so that a reader can tell that it was too long.

    The rest is let go. No disk is touched, whatever is sent.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """A file begins."""
        super().new_file(*args, **kwargs)
        self._kept = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Some bytes of it, which begin at `start`."""
        most = MOST_SHEET_BYTES if self.field_name == "sheet" else MOST_FILE_BYTES
        self._kept.write(raw_data[: max(0, most + 1 - start)])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:  # noqa: ARG002 -- Django's signature
        """What was kept of it."""
        size = self._kept.tell()
        self._kept.seek(0)
        return InMemoryUploadedFile(
            self._kept, self.field_name, self.file_name or "", self.content_type, size, self.charset
        )
