"""nbgrader's settings for the book's homework: its commands, run in this folder, grade as we do.

Add your own settings at the end; ``python -m homework grade`` reads them as well. A gradebook that
several people share; late work that loses a tenth of its points with each day that has begun, but
at most half of them; or late work that counts nothing::

    c.CourseDirectory.db_url = "postgresql://user:password@host/gradebook"
    c.LatePenalty.rule = "10% per day, grace 15 minutes, floor 50%"
    c.LateSubmissionPlugin.penalty_method = "zero"
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from homework import feedback, gradebook

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - nbgrader's
gradebook.configure(c)
feedback.configure(c)
