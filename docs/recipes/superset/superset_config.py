"""Superset on one machine, for trying it out. Secrets come from the environment."""

import os

HOME = os.environ["SUPERSET_HOME"]

SECRET_KEY = os.environ["SUPERSET_SECRET_KEY"]
SQLALCHEMY_DATABASE_URI = f"sqlite:///{HOME}/superset.db"
# http on loopback; leave these two lines out behind https.
TALISMAN_ENABLED = False
SESSION_COOKIE_SECURE = False
