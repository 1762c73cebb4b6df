"""The one settings file. Each variable it reads is explained in docs/operator/running.md."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from grader.broker import broker_url
from qkvcourse import addresses, env, sign_on
from qkvcourse.logs import logging_settings

ROOT = Path(__file__).resolve().parent.parent
DATA_DIR = env.directory("QKV_DATA_DIR", ROOT / "var")
CONTENT_DIRS = env.directories("QKV_CONTENT_DIR", ROOT / "content")

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", else_file=DATA_DIR / "secret-key")

# --- Where the site is reached -------------------------------------------------------------------------------------

PORT = env.whole_number("PORT", 8000, lowest=1, highest=65535)
SITE_URL = env.site_url("SITE_URL", f"http://127.0.0.1:{PORT}")
SITE_IS_SECURE = SITE_URL.startswith("https://")
LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]
# The loopback names stay allowed: health checks of the machine itself come through them.
ALLOWED_HOSTS = [*LOOPBACK_NAMES, str(urlsplit(SITE_URL).hostname), *env.words("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
PROXY_COUNT = env.whole_number("PROXY_COUNT", 0, lowest=0, highest=9)

# --- Security ------------------------------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = SITE_IS_SECURE
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31_536_000 if SITE_IS_SECURE else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXY_COUNT else None
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = SITE_IS_SECURE
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = SITE_IS_SECURE
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
# HSTS for subdomains and preloading bind names that may not be ours: the operator of the domain decides that.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- The application -----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "exercises",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.saml",
    "exercises.web.cas",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "qkvcourse.request_log.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "qkvcourse.maintenance.MaintenanceMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "exercises.web.private_pages.PrivatePagesMiddleware",
    "exercises.web.language.AccountLanguageMiddleware",
    "exercises.web.accounts_duties.DutiesMiddleware",
    "exercises.web.course_clock.CourseClockMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "exercises.web.open_hours.OpenHoursMiddleware",
    "exercises.web.view_as.ViewAsMiddleware",
]
ROOT_URLCONF = "qkvcourse.urls"
WSGI_APPLICATION = "qkvcourse.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Data ----------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.database("DATABASE_URL", DATA_DIR / "site.sqlite3")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock when a transaction begins: a read that turns into a write can then wait for its
    # turn instead of failing at once. Waiting is unfair under load, hence the generous limit.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;"
            " PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-20000;"
        ),
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}

# The cache holds log-in rate limits, which must outlive a broker that is away: so it lives in the database.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        # Django's 300 would throw the counts of one class away while another logs in.
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}
# No form has more than one file, and each is held in memory, whoever sends it.
DATA_UPLOAD_MAX_NUMBER_FILES = 4
FILE_UPLOAD_HANDLERS = ["exercises.web.uploads.BoundedUploadHandler"]
STATIC_URL = "/static/"
STATIC_ROOT = env.directory("STATIC_ROOT", DATA_DIR / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# --- People --------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "exercises.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "exercises.web.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
# A guest is signed in, and must still find the way to their own account.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# By its name: the page after it is in the language of the page before it.
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
# A whole classroom logs in within a minute from one address: only the limit per account may be tight. What "key" is, and
# the limits on our own doors, stand in exercises/web/accounts.py.
ACCOUNT_RATE_LIMITS = {
    "login": "600/m/ip",
    "login_failed": "120/m/ip,5/5m/key",
    "reset_password": "200/m/ip,5/m/key",
    "reset_password_from_key": "200/m/ip",
}
ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT
MFA_ADAPTER = "exercises.web.accounts.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1
# Whoever can put somebody else's address on an account gains nothing here: second factors hang on no e-mail.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Browsers let a page on this very machine use passkeys without TLS.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_IS_SECURE
STAFF_NEED_SECOND_FACTOR = env.flag("STAFF_NEED_SECOND_FACTOR", default=False)
SOCIALACCOUNT_ADAPTER = "exercises.web.accounts.SocialAccountAdapter"
SOCIALACCOUNT_PROVIDERS = sign_on.providers()
# Accounts are connected only by who holds both, never because an address is the same.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
SSO_UID_IS_STUDENT_NUMBER = env.flag("SSO_UID_IS_STUDENT_NUMBER", default=False)

# --- What the law wants at the foot of each page, and who answers for people's data --------------------------------------

ICP_NUMBER = env.text("ICP_NUMBER")
POLICE_NUMBER = env.text("POLICE_NUMBER")
OPERATOR_NAME = env.text("OPERATOR_NAME")
PRIVACY_CONTACT = env.text("PRIVACY_CONTACT")

# --- Mail: by SMTP where a server is named, into files otherwise (a log must not hold password links) ----------------

EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.whole_number("EMAIL_PORT", 587, lowest=1, highest=65535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = str(DATA_DIR / "mail")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"noreply@{urlsplit(SITE_URL).hostname}")

# --- Languages -----------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "zh-hans"
LANGUAGE_COOKIE_NAME = "language"
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [ROOT / "exercises" / "locale"]
TIME_ZONE = env.text("TIME_ZONE", "Asia/Shanghai")
USE_TZ = True

# --- API -----------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "QKV Course API",
    "DESCRIPTION": "Items, variants, submissions and grades of a course, for learning platforms and scripts.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {},
    "POSTPROCESSING_HOOKS": [],
}

# --- Queues: the database is the truth, the broker only a hint -------------------------------------------------------

REDIS_URL = env.redis_url("REDIS_URL", addresses.unix_url(addresses.valkey_socket(DATA_DIR)))
CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task may run; a task whose worker died comes back within seconds of that.
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_TASK_DEFAULT_QUEUE = "site"
CELERY_TASK_ROUTES = {
    "grader.grade_code": {"queue": "interactive"},
    "grader.run_code": {"queue": "interactive"},
    "exercises.record_outcome": {"queue": "results"},
    "exercises.record_run": {"queue": "results"},
    "exercises.*": {"queue": "site"},
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
# True would kill and acknowledge running tasks whenever the broker restarts.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "forget drafts": {"task": "exercises.forget_drafts", "schedule": 3600.0, "options": {"expires": 3600}},
    "send digests": {"task": "exercises.send_digests", "schedule": 900.0, "options": {"expires": 900}},
    "tell of released marks": {"task": "exercises.tell_released", "schedule": 15.0, "options": {"expires": 15}},
    "forget guests": {"task": "exercises.forget_guests", "schedule": 3600.0, "options": {"expires": 3600}},
    "warm figures": {"task": "exercises.warm_figures", "schedule": 60.0, "options": {"expires": 60}},
    "sweep": {"task": "exercises.sweep_stuck", "schedule": 5.0, "options": {"expires": 5}},
}

# A POST may hold its thread for the result of a code submission; half of the threads must stay free for pages.
WEB_THREADS = env.whole_number("WEB_THREADS", 16, lowest=2, highest=256)
RESULT_WAIT_SECONDS = 2.0
RESULT_WAITERS = WEB_THREADS // 2

# --- Logs ----------------------------------------------------------------------------------------------------------

LOGGING = logging_settings(
    form=env.choice("LOG_FORMAT", "json", among=("json", "line")),
    level=env.choice("LOG_LEVEL", "INFO", among=("DEBUG", "INFO", "WARNING", "ERROR")),
)
