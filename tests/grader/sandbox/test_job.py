from __future__ import annotations

import pytest

from grader.sandbox import MAX_CODE_BYTES, Case, Frame, Job
from grader.sandbox.job import parts_of


def test_a_frame_whose_bytes_do_not_fit_its_shape_is_refused():
    with pytest.raises(ValueError, match="8 bytes do not make float64 of shape"):
        Frame("float64", (2,), bytes(8))


@pytest.mark.parametrize(("dtype", "shape"), [("complex128", (1,)), ("float64", (1, 1, 1, 1, 1)), ("float64", (-1,))])
def test_a_frame_of_another_kind_is_refused(dtype, shape):
    with pytest.raises(ValueError, match="a frame"):
        Frame(dtype, shape, bytes(8))


def test_code_over_its_limit_is_refused_before_the_sandbox():
    assert Job("#" * MAX_CODE_BYTES, "f", ()).function == "f"
    with pytest.raises(ValueError, match="at most 65536 bytes"):
        Job("键" * MAX_CODE_BYTES, "f", ())


def test_a_function_needs_a_name():
    with pytest.raises(ValueError, match="cannot name a function"):
        Job("", "f(1)", ())
    with pytest.raises(ValueError, match="cannot name a function"):
        Case((), function="f(1)")


@pytest.mark.parametrize(
    ("form", "parts"), [(".", ()), ("(.)", (".",)), ("(.(..))", (".", "(..)")), ("((.).)", ("(.)", "."))]
)
def test_the_form_of_a_result_names_its_parts(form, parts):
    assert parts_of(form) == parts
    assert Case((), returns=form).returns == form


@pytest.mark.parametrize(
    "form", ["", "..", "()", "(", ")", "(.", ".)", "(.)(.)", "(.))(", "(x)", "((((.))))", "(................)"]
)
def test_what_draws_no_form_is_refused(form):
    with pytest.raises(ValueError, match="is no form of a result"):
        Case((), returns=form)
