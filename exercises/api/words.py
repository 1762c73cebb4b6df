"""What the API says when it refuses something, in both languages. The codes are part of the interface; words may change."""

from __future__ import annotations

from grader.marking.text import Text

BAD_REQUEST = Text("请求有误", "Bad request")
UNAUTHORIZED = Text("需要令牌", "Token needed")
FORBIDDEN = Text("令牌权限不足", "Token not made for this")
NOT_FOUND = Text("没有找到", "Not found")
WRONG_METHOD = Text("不支持该方法", "Method not allowed")
NOT_ACCEPTABLE = Text("无法提供所要的格式", "Format not available")
CONFLICT = Text("请求冲突", "Conflict")
LENGTH_MISSING = Text("需要 Content-Length", "Length needed")
TOO_LARGE = Text("请求过大", "Request too large")
WRONG_MEDIA_TYPE = Text("内容类型不对", "Wrong content type")
KEY_REUSED = Text("幂等键重复使用", "Idempotency key used for something else")
TOO_MANY = Text("请求过多", "Too many requests")
NOT_NOW = Text("暂时无法运行", "Not possible now")
OUR_FAULT = Text("服务器出错", "Server error")

TITLES = {
    400: BAD_REQUEST,
    401: UNAUTHORIZED,
    403: FORBIDDEN,
    404: NOT_FOUND,
    405: WRONG_METHOD,
    406: NOT_ACCEPTABLE,
    409: CONFLICT,
    411: LENGTH_MISSING,
    413: TOO_LARGE,
    415: WRONG_MEDIA_TYPE,
    422: KEY_REUSED,
    429: TOO_MANY,
    500: OUR_FAULT,
    503: NOT_NOW,
}

TOKEN_MISSING = Text(
    "请在 Authorization 请求头中以 “Bearer <令牌>” 的形式发送令牌。",
    "Send a token in the Authorization header, as “Bearer <token>”.",
)
TOKEN_REFUSED = Text(
    "令牌无效：不存在、已过期或已撤销。", "This token opens nothing: it is unknown, expired or revoked."
)
SECOND_FACTOR_OWED = Text(
    "本站要求教学人员设置第二重验证。请先在网站上登录并设置，之后令牌即可照常使用。",
    "This site wants a second factor of staff. Sign in to the site and set one up: the token then works as before.",
)
SCOPE_MISSING = Text("此操作需要权限 {scope}，该令牌没有。", "This needs the scope {scope}, which the token lacks.")
NOTHING_HERE = Text("这里没有内容，或者没有您可以查看的内容。", "There is nothing here, or nothing that you may see.")
METHOD_REFUSED = Text("此地址不支持 {method}。", "This address does not know {method}.")
JSON_ONLY = Text("本接口只提供 JSON。", "This interface speaks JSON only.")
SEND_JSON = Text("请以 application/json 发送内容。", "Send the body as application/json.")
BODY_TOO_LARGE = Text("请求内容最多 {limit} KiB。", "A body has at most {limit} KiB.")
LENGTH_NEEDED = Text(
    "请发送 Content-Length：不接受分块传输的内容。", "Send a Content-Length: a body in chunks is not taken."
)
BODY_NOT_UTF8 = Text("请求内容不是 UTF-8。", "The body is not UTF-8.")
BODY_NOT_JSON = Text(
    "请求内容不是合法的 JSON：第 {line} 行第 {column} 列。", "The body is no JSON: line {line}, column {column}."
)
NUMBER_NOT_JSON = Text("{number} 不是 JSON 数字。", "{number} is no number of JSON.")
NUMBER_TOO_LARGE = Text("数字太大或太长。", "A number is too large or too long.")
KEY_TWICE = Text("同一个键出现了两次：{key}。", "A key stands twice in one object: {key}.")
TOO_DEEP = Text("JSON 嵌套超过 {limit} 层。", "The JSON is nested more than {limit} levels deep.")
OBJECT_WANTED = Text("需要一个 JSON 对象。", "A JSON object is wanted.")
FIELD_UNKNOWN = Text("未知的键：{key}。可用：{known}。", "Unknown key: {key}. Known: {known}.")
FIELD_MISSING = Text("缺少键：{key}。", "The key {key} is missing.")
BOOLEAN_WANTED = Text("需要 true 或 false。", "true or false is wanted.")
TEXT_WANTED = Text("需要文本。", "A text is wanted.")
PARAMETER_UNKNOWN = Text("未知的查询参数：{name}。", "Unknown query parameter: {name}.")
LIMIT_WRONG = Text("limit 须为 1 到 {most} 之间的整数。", "limit must be a whole number from 1 to {most}.")
CURSOR_WRONG = Text(
    "cursor 无效。请使用上一页给出的 next 地址。", "This cursor is not valid: follow the next address of a page."
)
KEY_MALFORMED = Text(
    "Idempotency-Key 须为 1 到 255 个可见的 ASCII 字符。", "An Idempotency-Key has 1 to 255 visible ASCII characters."
)
KEY_BUSY = Text(
    "带有此 Idempotency-Key 的请求仍在处理，请稍后重试。",
    "A request with this Idempotency-Key is still running: try again shortly.",
)
KEY_TAKEN = Text(
    "此 Idempotency-Key 已用于另一个请求，请换一个。",
    "This Idempotency-Key was used for another request: take a new one.",
)
MANY_PENDING = Text(
    "您已有 {most} 个程序在等待或运行，请等其中一个完成后再提交。",
    "{most} programs of yours are waiting or running: send this one when one of them is done.",
)
CANNOT_RUN_NOW = Text(
    "现在没有可以运行代码的服务，请稍后再试。提交不受影响：会先存下来，服务恢复后评分。",
    "No code can be run right now: try again shortly. Submissions are not affected: they are kept and graded later.",
)
NOT_OPEN_YET = Text("该作业于 {at} 开放。", "This assignment opens at {at}.")
NOT_OPEN_ANY_MORE = Text("已于 {at} 关闭，不再接受作答。", "Closed since {at}: nothing is taken any more.")
COURSE_OVER = Text("这门课程已经结束，只能查看。", "This course is over: it can only be read.")
NO_TRIES_LEFT = Text(
    "这道题的 {allowed} 次作答机会已经用完，这次没有提交。",
    "All {allowed} tries at this item are used up: this was not taken.",
)
SLOW_DOWN = Text("请求太频繁，请在 {seconds} 秒后重试。", "Too many requests: try again in {seconds} seconds.")
FAULT_IS_OURS = Text(
    "服务器端出现错误，未计为您的作答。请稍后重试。",
    "Something went wrong on our side; nothing counts against you. Try again later.",
)
PLACE_IN_PASTE = Text("第 {row} 行第 {column} 列：", "Row {row}, column {column}: ")

NO_HINT_LEFT = Text("这道题的提示都已经给过了。", "Every hint of this item has been given.")
HINT_TOO_SOON = Text(
    "请先读读上一条提示：再过 {seconds} 秒，或者交了另一个答案之后，就可以要下一条。",
    "Read the last hint first: the next one is ready in {seconds} s, or as soon as another answer has been sent.",
)
SOLUTION_NOT_YET = Text(
    "先交过 {tries} 个不同的答案，才可以看解答；没有解答的题不能看。",
    "The solution can be shown after {tries} differing answers, where the item has one.",
)
SEED_WANTED = Text("这里需要一个从 0 到 {most} 的整数。", "A whole number from 0 to {most} is needed here.")
