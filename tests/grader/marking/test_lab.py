"""Labs are marked by what their numbers really give, and say what holds and what is missing."""

from __future__ import annotations

import pytest

from grader.marking.items import LabItem
from grader.marking.judge import mark_response
from grader.marking.lab import lab_problems
from grader.marking.lab_goals import is_reached, run_lab, say_goal
from grader.marking.mark import FieldState
from grader.marking.points import share
from grader.marking.response import ResponseError, essence
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import samples
from tests.grader.kind_samples import LAB, LAB_TO_LOOK_AT

ITEM = samples.item(LAB)
RIGHT = {"guess": "no", "fields": {"W_Q": [["0", "6"], ["0", "-6"]]}}
START = {"guess": "no", "fields": {}}

_GUESS = LAB[: LAB.index("[lab]")]
NAIVE = samples.item(
    _GUESS
    + """[lab]
tokens = { zh-hans = ["雨", "伞"], en = ["rain", "umbrella"] }
change = ["X"]
[lab.given]
X = [[1, 1], [0, 1]]
[lab.reached_by]
X = [[1, 2], [0, 1]]
[[goal]]
kind = "looks_away"
from = 2
"""
)
FACTOR = samples.item(
    _GUESS
    + """[lab]
tokens = { zh-hans = ["天", "头", "身", "草"], en = ["sky", "head", "body", "grass"] }
queries = [2]
change = ["factor"]
[lab.given]
logits = [[0.1, 0.9, 0.8, 0.2]]
factor = [[1]]
[lab.reached_by]
factor = [[5]]
[[goal]]
kind = "above"
from = 2
to = 2
bound = 0.6
"""
)
LOOK = samples.item(LAB_TO_LOOK_AT)


def mark(item, response):
    return mark_response(item, draw_variant(item, 3), response)


def said(mark, slug):
    return [finding.text.en for finding in mark.findings if finding.slug == slug]


def test_every_goal_earns_an_equal_part():
    assert (mark(ITEM, RIGHT).verdict, mark(ITEM, RIGHT).score) == (Verdict.CORRECT, ITEM.max_score)
    two_of_three = mark(ITEM, START)
    assert (two_of_three.verdict, two_of_three.score) == (Verdict.PARTIALLY_CORRECT, share(ITEM.max_score, 2, 3))
    assert [field.state for field in two_of_three.fields] == [FieldState.RIGHT, FieldState.RIGHT, FieldState.WRONG]
    none = mark(NAIVE, {"guess": "no", "fields": {}})
    assert (none.verdict, none.score) == (Verdict.INCORRECT, 0)


def test_feedback_names_what_holds_and_what_is_missing_with_numbers():
    started = mark(ITEM, START)
    assert said(started, "goal_holds") == [
        "“cat” gives “mat” a weight of 0.422, above 0.4.",
        "“mat” gives “cat” a weight of 0.212, below 0.4.",
    ]
    assert said(started, "goal_missing") == [
        "“cat” gives “mat” a score of 1 and gets 1 back: 0 apart, and at least 2 is needed."
    ]


def test_symmetric_scores_are_given_as_the_reason_only_while_they_are():
    assert len(said(mark(ITEM, START), "lab_symmetric")) == 1
    other = {"guess": "no", "fields": {"W_Q": [["1", "0.5"], ["0", "1"]]}}
    assert said(mark(ITEM, other), "goal_missing") != []
    assert said(mark(ITEM, other), "lab_symmetric") == []


def test_the_guess_earns_nothing_and_is_answered_once_the_goal_is_reached():
    wrong = mark(ITEM, {**RIGHT, "guess": "yes"})
    assert (wrong.verdict, said(wrong, "guess_wrong")) == (Verdict.CORRECT, ["There and back are the same."])
    assert said(mark(ITEM, START), "guess_kept") == ["Once the goal is reached, you can compare it with what you saw."]


def test_another_guess_with_the_same_numbers_is_the_same_answer():
    assert essence(ITEM, RIGHT) == essence(ITEM, {**RIGHT, "guess": "yes"})
    assert essence(ITEM, RIGHT) != essence(ITEM, START)


def test_the_longest_token_is_explained_where_it_was_tried_and_in_the_end():
    short = {"guess": "no", "fields": {"X": [["0", "0.5"], ["0", "1"]]}}
    assert "“umbrella” is the longest now, with a length of 1," in said(mark(NAIVE, short), "lab_longest")[0]
    assert said(mark(NAIVE, START), "lab_longest") == []
    reached = mark(NAIVE, {"guess": "no", "fields": {"X": [["1", "2"], ["0", "1"]]}})
    assert said(reached, "goal_holds") == ["“umbrella” gives itself 1 and “rain” 2: it prefers “rain”."]
    assert "“rain” is the longest now" in said(reached, "lab_longest")[0]


def test_a_draw_is_no_looking_away():
    twin = {"guess": "no", "fields": {"X": [["0", "1"], ["0", "1"]]}}
    assert mark(NAIVE, twin).verdict is Verdict.INCORRECT


@pytest.mark.parametrize(
    ("factor", "verdict", "words"),
    [
        ("5", Verdict.CORRECT, "The factor 5 is positive: the weights stand in the order of the scores, head > body >"),
        ("0.1", Verdict.INCORRECT, "The factor 0.1 is positive"),
        ("0", Verdict.INCORRECT, "The factor is 0: every score becomes 0, and all 4 weights are equal."),
        ("-5", Verdict.INCORRECT, "The factor −5 is negative: it turns the scores round, and the order of the weights"),
    ],
)
def test_the_sign_of_a_factor_decides_the_order(factor, verdict, words):
    marked = mark(FACTOR, {"guess": "no", "fields": {"factor": [[factor]]}})
    assert marked.verdict is verdict
    assert said(marked, "lab_factor")[0].startswith(words)


@pytest.mark.parametrize(("named", "verdict"), [("2", Verdict.CORRECT), (2, Verdict.CORRECT), ("3", Verdict.INCORRECT)])
def test_a_lab_to_look_at_asks_for_the_token_that_is_looked_at_most(named, verdict):
    assert mark(LOOK, {"guess": "no", "fields": {}, "named": {"goal-1": named}}).verdict is verdict


def test_who_names_another_token_is_not_told_the_right_one():
    told = mark(LOOK, {"guess": "no", "fields": {}, "named": {"goal-1": "3"}})
    assert said(told, "goal_missing") == [
        "“it” gives “street” a weight of 0.284, and another token more. Look along the row of “it” again."
    ]


@pytest.mark.parametrize(
    ("item", "response", "reason"),
    [
        (ITEM, {"fields": {}}, "Make a guess"),
        (ITEM, {"guess": "perhaps", "fields": {}}, "no such option"),
        (ITEM, {"guess": "no", "fields": []}, "the wrong form"),
        (ITEM, {"guess": "no", "fields": {"X": [["1", "0"], ["0", "1"], ["1", "1"]]}}, "no field named X"),
        (ITEM, {"guess": "no", "fields": {"W_Q": [["1", "0"]]}}, "1 × 2; 2 × 2 is needed"),
        (ITEM, {"guess": "no", "fields": {"W_Q": 7}}, "belongs here"),
        (ITEM, {"guess": "no", "fields": {"W_Q": [["1", "0"], ["0", "1001"]]}}, "from −1000 to 1000"),
        (ITEM, {"guess": "no", "fields": {"W_Q": [[1, 0], [0, True]]}}, "belongs here"),
        (ITEM, {"guess": "no", "fields": {"W_Q": [[1, 0], [0, 10**400]]}}, "from −1000 to 1000"),
        (LOOK, {"guess": "no", "fields": {}}, "Choose the token"),
        (LOOK, {"guess": "no", "fields": {}, "named": {"goal-1": "4"}}, "no such token"),
        (LOOK, {"guess": "no", "fields": {}, "named": {"goal-2": "1"}}, "the wrong form"),
    ],
)
def test_what_is_not_understood_is_refused(item, response, reason):
    with pytest.raises(ResponseError, match=reason):
        mark(item, response)


def test_every_cell_that_is_not_understood_is_named():
    response = {"guess": "no", "fields": {"W_Q": [["1", "x"], ["", "1"]], "W_K": [["1", "0"], ["0", "?"]]}}
    places = [(problem.field, problem.row, problem.column) for problem in lab_problems(ITEM, response)]
    assert places == [("W_Q", 0, 1), ("W_Q", 1, 0), ("W_K", 1, 1)]


@pytest.mark.parametrize("W_Q", ["[[0, 6], [0, -6]]", "0 6; 0 −6", [[0, 6], [0, -6.0]], [["０", "12/2"], ["0", "-6"]]])
def test_matrices_are_read_as_learners_and_programs_write_them(W_Q):
    assert mark(ITEM, {"guess": "no", "fields": {"W_Q": W_Q}}).verdict is Verdict.CORRECT


def test_numbers_that_a_page_claims_to_have_computed_are_not_believed():
    with pytest.raises(ResponseError):
        mark(ITEM, {**START, "fields": {"attn_weights": [["0", "0", "1"]]}})


def test_an_attempt_shows_where_the_lab_starts_and_not_how_its_goal_is_reached():
    shown = present(ITEM, draw_variant(ITEM, 3))
    assert [given.name for given in shown.givens] == ["X", "W_Q", "W_K"]
    assert [(field.name, field.rows, field.columns) for field in shown.fields] == [("W_Q", 2, 2), ("W_K", 2, 2)]
    assert isinstance(ITEM, LabItem)
    assert str(ITEM.reached_by["W_Q"]) not in str(shown)


def test_other_kinds_have_no_problems_of_a_lab():
    assert lab_problems(samples.item(samples.CHOICE), {}) == ()


def test_what_is_understood_has_no_problems():
    assert lab_problems(ITEM, RIGHT) == ()


def test_a_goal_is_asked_in_one_sentence_and_no_array_names_whom_a_token_looks_at_most():
    assert isinstance(LOOK, LabItem)
    lab, (goal, *_) = LOOK.lab, LOOK.goals

    assert "{" not in say_goal(lab, goal).en + say_goal(lab, goal).zh_hans
    with pytest.raises(TypeError, match="no array says"):
        is_reached(lab, goal, run_lab(lab, {}))
