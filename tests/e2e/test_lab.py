"""Labs in a real browser: the script agrees with the core, and every way to use a lab leads to the goal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from exercises.models import Submission, User
from exercises.web.lab_readouts import fixed
from exercises.web.lab_view import shade
from grader.marking.notation import NotationError, parse_number
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
CASES: list[dict[str, Any]] = json.loads((FIXTURES / "lab_cases.json").read_text(encoding="utf-8"))
ENTRIES = [
    case
    for case in json.loads((FIXTURES / "entry_cases.json").read_text(encoding="utf-8"))["cases"]
    if case["kind"] == "number"
]
VALUES = [0.0, 0.125, -0.125, 2.675, -0.004, 0.005, 1e-9, -1000.0, 999.995, 1 / 3, -2 / 3, 0.5, -0.5, 0.995]
COMPUTE = """async ([address, cases]) => {
    const lab = await import(address);
    return cases.map((one) => {
        const arrays = lab.oneHead(one.given, one);
        const places = one.goals.map((goal) => lab.standing(goal, arrays.logits.map((_, place) => place), arrays).isReached);
        const isSquare = arrays.logits.length === arrays.logits[0].length;
        return {
            arrays: Object.fromEntries(Object.keys(one.arrays).map((name) => [name, arrays[name]])),
            names: Object.keys(arrays).sort(),
            asymmetry: isSquare ? lab.asymmetry(arrays.logits).size : null,
            prefersItself: isSquare ? lab.prefersItself(arrays.logits) : null,
            longest: arrays.X ? lab.longest(arrays.X) : null,
            places,
        };
    });
}"""
ASYM, NAIVE, PATCHES = "lab-asym", "lab-naive", "lab-patches"
LESSONS = {ASYM: "qkv", NAIVE: "naive", PATCHES: "projection"}


def open_lab(page: Page, slug: str, *, guess: int = 0) -> None:
    page.locator(f"#item-{slug} [name=guess]").nth(guess).check()
    page.locator(f"#item-{slug} .actions button").first.click()
    expect(page.locator(f"#item-{slug} attention-lab")).to_be_visible()


def at_lab(reader: OpenReader, ada: User, slug: str, *, language: str = "en", query: str = "", **window: Any) -> Page:
    page = reader(ada, **window).open(f"/{language}/courses/spring/lessons/{LESSONS[slug]}/{query}")
    open_lab(page, slug)
    return page


def cells(page: Page, slug: str, table: str) -> Locator:
    return page.locator(f"#item-{slug} [data-table={table}] tbody td")


def script(page: Page) -> str:
    return str(page.locator("script[src*='exercises/lab']").evaluate("(element) => element.src"))


def test_the_script_computes_what_the_core_computes(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    for case, seen in zip(CASES, page.evaluate(COMPUTE, [script(page), CASES]), strict=True):
        assert seen["names"] == sorted({*case["given"], *case["arrays"]}), case["name"]
        for name, rows in case["arrays"].items():
            got = [cell for row in seen["arrays"][name] for cell in row]
            assert got == pytest.approx([cell for row in rows for cell in row], rel=1e-9, abs=1e-9), (
                case["name"],
                name,
            )
        if case["asymmetry"] is not None:
            assert seen["asymmetry"] == pytest.approx(case["asymmetry"], rel=1e-9, abs=1e-9), case["name"]
        assert (seen["prefersItself"], seen["longest"]) == (case["prefers_itself"], case["longest"]), case["name"]
        assert seen["places"] == [goal["is_reached"] for goal in case["goals"]], case["name"]


def test_the_script_prints_and_shades_as_the_page_does(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    seen = page.evaluate(
        "async ([address, values]) => { const lab = await import(address);"
        " return values.map((value) => [lab.fixed(value), lab.shade(value, 1000), lab.shade(value, 1)]) }",
        [script(page), VALUES],
    )
    assert seen == [[fixed(value), shade(value, 1000), shade(value, 1)] for value in VALUES]


def test_what_the_script_reads_as_a_number_marking_reads_alike(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    read = page.evaluate(
        "async ([address, texts]) => { const lab = await import(address); return texts.map(lab.readNumber) }",
        [script(page), [case["text"] for case in ENTRIES]],
    )
    understood = {case["text"]: value for case, value in zip(ENTRIES, read, strict=True) if value is not None}
    assert {"1/3", "0,5"} <= set(understood)
    for text, value in understood.items():
        try:
            expected = parse_number(text).value
        except NotationError:
            pytest.fail(f"{text!r} is refused by marking")
        assert value == pytest.approx(expected), text


def test_a_sum_is_written_out_with_the_numbers_that_are_there(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    written = page.locator("#item-lab-asym .lab-sum-line")
    for table, place, sum_ in [
        ("Q", 0, "2 × 1 + 1 × (−1) = 1"),
        ("logits", 0, "1 × 2 + 1 × (−2) = 0"),
        ("attn_weights", 2, "e0 ÷ (e−1.5 + e−1 + e0) = 1 ÷ 1.591 = 0.6285"),
    ]:
        page.locator(f"#item-lab-asym [data-table={table}] button").nth(place).click()
        expect(written).to_have_text(sum_)
    expect(page.locator("#item-lab-asym [data-said]")).to_contain_text("Attention weights, from token 1 to token 3")
    page.keyboard.press("Escape")
    expect(written).to_be_hidden()


def test_a_cell_points_at_what_it_comes_from(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    page.locator("#item-lab-asym [data-table=logits] button").nth(2).hover()
    linked = page.locator("#item-lab-asym .is-linked")
    expect(linked).to_have_count(4)
    tables = linked.evaluate_all("(cells) => cells.map((cell) => cell.closest('table').dataset.table)")
    assert tables == ["Q", "Q", "K", "K"]


def test_the_goal_is_reached_by_keyboard_alone(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    page.locator("#lab-asym-W_Q-0-0").focus()
    for _ in range(10):
        page.keyboard.press("ArrowDown")
    for text in ("0", "-2", "-2"):
        page.keyboard.press("Enter")
        page.keyboard.type(text)
    expect(page.locator("#item-lab-asym .lab-goal-now.is-right")).to_have_count(3)
    expect(page.locator("#item-lab-asym [data-said]")).to_contain_text("All goals are reached")
    page.keyboard.press("Enter")
    page.locator("#item-lab-asym .actions button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#item-lab-asym .verdict-correct")).to_be_visible()
    assert Submission.objects.get().raw_response["fields"]["W_Q"] == [["0", "0"], ["-2", "-2"]]


def test_arrow_keys_walk_through_a_table_of_one_tab_stop(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    page.locator("#item-lab-asym [data-table=logits] button").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("Scores, from token 3 to token 2"))
    assert page.locator("#item-lab-asym [data-table=logits] button[tabindex='0']").count() == 1


def test_for_a_reader_of_columns_the_tables_stand_as_transposes_and_work_alike(ada: User, reader: OpenReader) -> None:
    ada.convention = "column"
    ada.save()
    page = at_lab(reader, ada, ASYM)
    item = "#item-lab-asym"
    expect(cells(page, ASYM, "Q")).to_have_text(["1.00", "0.00", "−2.00", "1.00", "1.00", "1.00"])
    page.locator(f"{item} [data-table=Q] button").first.click()
    expect(page.locator(f"{item} .lab-sum-line")).to_have_text("2 × 1 + 1 × (−1) = 1")
    expect(page.locator(f"{item} [data-table=X] .is-linked")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_attribute("aria-label", re.compile("Queries, token 2, number 1"))
    for place, text in {"0-0": "0", "0-1": "0", "1-0": "-2", "1-1": "-2"}.items():
        page.fill(f"#lab-asym-W_Q-{place}", text)
    expect(page.locator(f"{item} .lab-goal-now.is-right")).to_have_count(3)
    page.locator(f"{item} .actions button").first.click()
    expect(page.locator(f"{item} .verdict-correct")).to_be_visible()
    assert Submission.objects.get().raw_response["fields"]["W_Q"] == [["0", "0"], ["-2", "-2"]]


def test_a_number_is_dragged_sideways(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    cell = page.locator("#lab-asym-W_Q-0-0")
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 15)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 15, steps=6)
    page.mouse.up()
    expect(cell).to_have_value("2")
    expect(cells(page, ASYM, "Q").first).to_have_text("3.00")


def test_a_token_is_dragged_in_the_plane(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, NAIVE)
    plane = page.locator("#item-lab-naive .lab-plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    assert box
    unit, middle = box["width"] / 6, box["width"] / 2
    page.mouse.move(box["x"] + middle + unit, box["y"] + middle - unit)
    page.mouse.down()
    page.mouse.move(box["x"] + middle + 2 * unit, box["y"] + middle - 2 * unit, steps=5)
    page.mouse.up()
    for place in (0, 1):
        expect(page.locator(f"#lab-naive-X-0-{place}")).to_have_value("2")
    expect(page.locator("#item-lab-naive .lab-goal-now.is-right")).to_have_count(1)


def test_presets_and_what_they_show(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    readouts = page.locator("#item-lab-asym .lab-readouts")
    expect(readouts).to_contain_text("Largest gap: 7.50, between token 1 and token 3")
    page.locator("#item-lab-asym [data-preset=shared]").click()
    expect(readouts).to_contain_text("any two tokens give each other the same")
    page.locator("#item-lab-asym [data-preset=identity]").click()
    for table in ("Q", "K"):
        expect(cells(page, ASYM, table)).to_have_text(["2.00", "1.00", "1.00", "1.00", "−1.00", "1.00"])
    page.locator("#item-lab-asym [data-preset=random]").click()
    page.locator("#item-lab-asym [data-preset=start]").click()
    expect(readouts).to_contain_text("Largest gap: 7.50, between token 1 and token 3")


def test_the_address_keeps_the_state_and_whoever_opens_it_sees_it(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM)
    page.fill("#lab-asym-W_Q-0-0", "1/2")
    page.wait_for_url(re.compile(r"\?lab-asym=W_Q:0\.5,0;-1,1$"))
    other = at_lab(reader, ada, ASYM, query="?lab-asym=W_Q:0.5,0;-1,1~W_K:1~X:9")
    expect(other.locator("#lab-asym-W_Q-0-0")).to_have_value("0.5")
    expect(cells(other, ASYM, "Q")).to_have_text(cells(page, ASYM, "Q").all_inner_texts())
    page.locator("#item-lab-asym [data-preset=start]").click()
    page.wait_for_url(re.compile(r"/qkv/$"))


def test_the_factor_slides_and_the_box_takes_zero_and_less(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, PATCHES)
    page.locator("#item-lab-patches .lab-slider").fill("6")
    expect(page.locator("#lab-patches-factor-0-0")).to_have_value("6")
    expect(page.locator("#item-lab-patches .lab-goal-now")).to_contain_text("reached")
    order = page.locator("#item-lab-patches .lab-readouts")
    expect(order).to_contain_text("head > body > grass > sky")
    page.fill("#lab-patches-factor-0-0", "0")
    expect(cells(page, PATCHES, "attn_weights")).to_have_text(["0.25"] * 4)
    expect(order).to_contain_text("sky = head = body = grass")
    page.fill("#lab-patches-factor-0-0", "−5")
    expect(order).to_contain_text("sky > grass > body > head")


@pytest.mark.parametrize("scripts", [True, False])
def test_all_labs_can_be_got_right(scripts: bool, ada: User, reader: OpenReader) -> None:
    numbers = {
        ASYM: {"W_Q-0-0": "0", "W_Q-0-1": "0", "W_Q-1-0": "-2", "W_Q-1-1": "-2"},
        NAIVE: {"X-0-0": "2", "X-0-1": "2", "X-2-0": "0.5", "X-2-1": "1/2"},
        PATCHES: {"factor-0-0": "5"},
    }
    for slug, values in numbers.items():
        page = at_lab(reader, ada, slug, scripts=scripts)
        for name, text in values.items():
            page.fill(f"#{slug}-{name}", text)
        page.locator(f"#item-{slug} .item-form > .actions button").first.click()
        expect(page.locator(f"#item-{slug} .verdict-correct")).to_be_visible()


def test_without_scripts_a_button_works_the_tables_out(ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, PATCHES, scripts=False)
    page.fill("#lab-patches-factor-0-0", "0")
    page.locator("#item-lab-patches noscript button").click()
    expect(cells(page, PATCHES, "attn_weights")).to_have_text(["0.25"] * 4)
    expect(page.locator("#item-lab-patches .lab-readouts")).to_contain_text("sky = head = body = grass")
    assert Submission.objects.count() == 0


@looks
def test_labs_are_sound_in_every_state(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    for slug in LESSONS:
        page = at_lab(reader, ada, slug, language=language, width=width, theme=theme)
        page.locator(f"#item-{slug} [data-table=attn_weights] button").first.click()
        assert_sound(page, f"#item-{slug}")
        page.locator(f"#item-{slug} .item-form > .actions button").first.click()
        expect(page.locator(f"#item-{slug} .verdict")).to_be_visible()
        assert_sound(page, f"#item-{slug}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_shade_carries_its_number_in_enough_contrast(theme: str, ada: User, reader: OpenReader) -> None:
    page = at_lab(reader, ada, ASYM, theme=theme)
    ratios = page.evaluate(CONTRASTS)
    assert len(ratios) == 6 * 20
    assert {key: ratio for key, ratio in ratios.items() if ratio < 4.5} == {}


CONTRASTS = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratios = {};
    for (const name of ["Q", "K", "V", "logits", "attn_weights", "context"]) {
        const cell = document.querySelector(`#item-lab-asym [data-table=${name}] td[class^=shade-]`);
        cell.style.transition = "none";
        for (const sign of ["p", "n"]) for (let level = 0; level < 10; level += 1) {
            cell.className = `shade-${sign}${level}`;
            const { backgroundColor, color } = getComputedStyle(cell);
            const [one, other] = [luminance(backgroundColor), luminance(color)].sort((a, b) => b - a);
            ratios[`${name} ${sign}${level}`] = (one + 0.05) / (other + 0.05);
        }
    }
    return ratios;
}"""
