"""Properties of one number; what each text is read as stands in tests/fixtures/entry_cases.json."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.notation import MAX_CHARACTERS, NotationError, parse_number
from tests.grader.marking.steps import steps

SIGNS = "0123456789.,+-*/^()[]{}√e_ sqrtnaif\\１，。（）②½%\t\n\u200b\ud800"


def test_a_refusal_names_the_sign_and_its_place():
    with pytest.raises(NotationError) as refused:
        parse_number("1.5x")

    assert "“x” at character 4" in refused.value.text.en
    assert "第 4 个字符处的 “x”" in refused.value.text.zh_hans


@pytest.mark.parametrize(
    ("text", "place"),
    [("  1.5x", 6), ("１．５ｘ", 4), (r"\frac{1}{2}x", 12), (r"2\times x", 9), ("1+(2*x)", 6), ("\u200b1x", 2)],
)
def test_a_place_counts_the_signs_that_the_learner_sees(text, place):
    with pytest.raises(NotationError) as refused:
        parse_number(text)

    assert f"“x” at character {place} " in refused.value.text.en


@pytest.mark.parametrize(
    ("text", "said"), [("1\ud800", "U+D800"), ("1\x00", "U+0000"), ("1\x1b", "U+001B"), ("1True", "True")]
)
def test_a_refusal_can_be_shown_and_sent_whatever_was_typed(text, said):
    with pytest.raises(NotationError) as refused:
        parse_number(text)

    assert f"“{said}”" in refused.value.text.en
    assert refused.value.text.zh_hans.encode()


def test_no_refusal_repeats_more_than_a_few_signs():
    with pytest.raises(NotationError) as refused:
        parse_number("1" + "x" * (MAX_CHARACTERS - 1))

    assert refused.value.text.en.count("x") < MAX_CHARACTERS // 2


@given(st.text(max_size=MAX_CHARACTERS + 20) | st.text(alphabet=SIGNS, max_size=MAX_CHARACTERS))
def test_no_text_of_any_kind_raises_anything_else_or_reads_as_no_finite_number(text):
    try:
        typed = parse_number(text)
    except NotationError:
        return
    assert math.isfinite(typed.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back_from_how_python_writes_it(value):
    assert parse_number(repr(value)).value == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_decimals_are_counted_and_exact_on_any_keyboard(value):
    text = f"{value:.3f}"
    full_width = text.translate({ord(sign): ord(sign) + 0xFEE0 for sign in "0123456789.-"})

    assert parse_number(text) == parse_number(full_width)
    assert parse_number(text).value == float(value)
    assert parse_number(text).decimals == 3


OPERATIONS = {
    "+": Fraction.__add__,
    " - ": Fraction.__sub__,
    "×": Fraction.__mul__,
    "/": lambda one, other: one / other if other else None,
}
WHOLE = st.integers(-9, 9).map(lambda number: (str(number), Fraction(number)))


def joined(parts):
    """Two parts in brackets with a sign between them, as text and as the exact number meant, None where there is none."""
    return st.builds(
        lambda one, sign, other: (f"({one[0]}){sign}({other[0]})", OPERATIONS[sign](one[1], other[1])),
        parts,
        st.sampled_from(list(OPERATIONS)),
        parts,
    )


@given(joined(WHOLE | joined(WHOLE).filter(lambda made: made[1] is not None)))
def test_an_expression_has_the_value_that_exact_fractions_give(made):
    text, exact = made
    if exact is None:
        with pytest.raises(NotationError):
            parse_number(text)
    else:
        assert parse_number(text).value == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "unit", ["-", "(", "√", "1^", "2*", "1+", "1,", " ", "\t", "\\frac", "{", "sqrt(", "9", "．", "\\", "1 - ", "\n"]
)
def test_the_steps_grow_with_the_length_and_no_faster(unit):
    texts = [unit * count for count in (1, 7, 25, 50, 100, 50_000)]

    taken = [steps(parse_number, text) for text in texts]

    allowed = [100 + 20 * min(len(text), MAX_CHARACTERS) for text in texts]
    assert [count for count, most in zip(taken, allowed, strict=True) if count > most] == []
