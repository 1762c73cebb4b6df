from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grader.attention.projection import project_columns, project_rows

HALVES = st.integers(-8, 8).map(lambda number: Fraction(number, 2))


def exact_product(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    """The product by its definition, in exact fractions: the slow witness."""
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*right, strict=True)]
        for row in left
    ]


def matrix(rows: int, columns: int) -> st.SearchStrategy[list[list[Fraction]]]:
    return st.lists(st.lists(HALVES, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def as_floats(exact: list[list[Fraction]]) -> np.ndarray:
    return np.array([[float(cell) for cell in row] for row in exact])


@given(st.data(), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_rows_equal_the_definition_in_exact_fractions(data, tokens, d, d_k):
    X, W = data.draw(matrix(tokens, d)), data.draw(matrix(d, d_k))
    b = data.draw(matrix(1, d_k))[0]

    expected = [[cell + b[place] for place, cell in enumerate(row)] for row in exact_product(X, W)]

    # Halves with small numerators are exact in binary, so equality is asked and no closeness.
    assert project_rows(as_floats(X), as_floats(W), np.array([float(cell) for cell in b])).tolist() == [
        [float(cell) for cell in row] for row in expected
    ]


@given(st.data(), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_columns_are_the_rows_of_the_transposed_matrices(data, tokens, d, d_k):
    X, W = as_floats(data.draw(matrix(tokens, d))), as_floats(data.draw(matrix(d, d_k)))
    b = as_floats(data.draw(matrix(1, d_k)))[0]

    assert project_columns(W.T, X.T, b).T.tolist() == project_rows(X, W, b).tolist()


def test_one_token_has_the_values_of_its_row_among_many():
    X, W, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(4.0)

    assert project_rows(X[1], W, b).tolist() == project_rows(X, W, b)[1].tolist()
    assert project_columns(W.T, X[1], b).tolist() == project_rows(X[1], W, b).tolist()


def test_the_bias_is_added_to_every_column_even_where_numpy_would_lay_it_along_the_tokens():
    W, X, b = np.array([[1.0, 0], [1, 1]]), np.array([[1.0, 2], [3, 4]]), np.array([10.0, 20])

    assert project_columns(W, X, b).tolist() == [[11, 12], [24, 26]]


def test_a_batch_is_projected_sentence_by_sentence():
    X, W = np.arange(24.0).reshape(2, 4, 3), np.arange(6.0).reshape(3, 2)

    assert project_rows(X, W).tolist() == [project_rows(sentence, W).tolist() for sentence in X]


def test_float32_stays_float32():
    X, W, b = np.ones((2, 3), np.float32), np.ones((3, 2), np.float32), np.ones(2, np.float32)

    assert project_rows(X, W, b).dtype == np.float32
    assert project_columns(W.T, X.T, b).dtype == np.float32
