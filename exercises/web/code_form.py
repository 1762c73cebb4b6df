"""The form of a program: a text box or a file, and a call of one's own."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from exercises.services.code_text import code_from_file


@dataclass(frozen=True, slots=True)
class CodeForm:
    """What was sent; `is_file` where the program came as a file, so that the box does not show it yet."""

    code: str = ""
    call: str = ""
    is_file: bool = False


def read_code_form(form: QueryDict, files: MultiValueDict[str, UploadedFile[bytes]]) -> CodeForm:
    """A file goes before the box. Raises ResponseError for a file that is no text."""
    call = form.get("call", "")
    file = files.get("file")
    if file:
        return CodeForm(code_from_file(file.read()), call, is_file=True)
    # Browsers send every line end as CR LF, whatever was typed.
    return CodeForm(form.get("code", "").replace("\r\n", "\n"), call)
