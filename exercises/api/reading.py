"""Views that only read: who asks, courses, items, grades."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import paging
from exercises.api.base import ApiView, token_of, user_of
from exercises.api.document import CURSOR, FAULTS, LIMIT, page_of
from exercises.api.reach import enrollment_for_token, item_for_token
from exercises.api.represent import show_item
from exercises.api.serializers.courses import CourseRowSerializer, CourseSerializer, GradesSerializer, TokenSerializer
from exercises.api.serializers.items import ItemRowSerializer, ItemSerializer
from exercises.enums import ApiScope, Role
from exercises.queries.grade_page import grade_page, own_grades
from exercises.queries.item_list import item_list
from exercises.queries.outline import course_outline, my_courses


class Me(ApiView):
    """The token that asks."""

    @extend_schema(operation_id="me", responses={200: TokenSerializer, **FAULTS})
    def get(self, request: Request) -> Response:
        """Say whose token this is, what it may do, and until when."""
        return Response(TokenSerializer(token_of(request)).data)


class Courses(ApiView):
    """The courses that the token reaches."""

    scopes: ClassVar = {"GET": ApiScope.READ_ITEMS}

    @extend_schema(operation_id="courses", responses={200: page_of("CoursePage", CourseRowSerializer), **FAULTS})
    def get(self, request: Request) -> Response:
        """List the courses of the token's user; a token of one course sees that one."""
        limited_to = token_of(request).course
        courses = my_courses(user_of(request))
        reached = [each for each in courses if limited_to is None or each.slug == limited_to.slug]
        return paging.answer_page(request, CourseRowSerializer(reached, many=True).data, None)


class Course(ApiView):
    """One course."""

    scopes: ClassVar = {"GET": ApiScope.READ_ITEMS}

    @extend_schema(operation_id="course", responses={200: CourseSerializer, **FAULTS})
    def get(self, request: Request, course_slug: str) -> Response:
        """Show a course with its lessons."""
        enrollment = enrollment_for_token(token_of(request), course_slug)
        return Response(CourseSerializer(course_outline(enrollment)).data)


class Items(ApiView):
    """The items of a course."""

    scopes: ClassVar = {"GET": ApiScope.READ_ITEMS}

    @extend_schema(operation_id="items", responses={200: page_of("ItemPage", ItemRowSerializer), **FAULTS})
    def get(self, request: Request, course_slug: str) -> Response:
        """List all items in the order of the lessons."""
        enrollment = enrollment_for_token(token_of(request), course_slug)
        return paging.answer_page(request, ItemRowSerializer(item_list(enrollment), many=True).data, None)


class Item(ApiView):
    """One item."""

    scopes: ClassVar = {"GET": ApiScope.READ_ITEMS}

    @extend_schema(operation_id="item", responses={200: ItemSerializer, **FAULTS})
    def get(self, request: Request, course_slug: str, item_slug: str) -> Response:
        """Show an item with its task. Its numbers come with an attempt."""
        return Response(ItemSerializer(show_item(item_for_token(token_of(request), course_slug, item_slug))).data)


class Grades(ApiView):
    """The grades of a course."""

    scopes: ClassVar = {"GET": ApiScope.READ_GRADES}
    query_parameters = paging.PARAMETERS

    @extend_schema(
        operation_id="grades",
        parameters=[CURSOR, LIMIT],
        responses={200: page_of("GradePage", GradesSerializer), **FAULTS},
    )
    def get(self, request: Request, course_slug: str) -> Response:
        """List the grades of all students to an instructor of the course, and to a student the student's own."""
        enrollment = enrollment_for_token(token_of(request), course_slug)
        window = paging.read_window(request)
        if enrollment.role == Role.INSTRUCTOR:
            page = grade_page(enrollment.course, after=window.after, limit=window.limit)
        else:
            page = own_grades(enrollment)
        return paging.answer_page(request, GradesSerializer(page.students, many=True).data, page.next_after)
