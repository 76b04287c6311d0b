"""Works as a teacher does with nbgrader, in the course that is the present folder.

course.py ASSIGNMENT...: generates the students' versions of all assignments, grades what was
submitted for those named, and prints the marks: assignment, student, cell, marks, of.
"""
import os
import sys

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # for alembic

config = PyFileConfigLoader("nbgrader_config.py", path=os.getcwd()).load_config()
course = CourseDirectory(config=config)
course.root = os.getcwd()
api = NbGraderAPI(course, config=config)


def done(result):
    if not result["success"]:
        sys.exit(f"{result['log']}\n{result['error']}")


assignments = sorted(os.listdir("source"))
for assignment in assignments:
    done(api.generate_assignment(assignment))
    print("generated", assignment)
for assignment in sys.argv[1:]:
    for student in sorted(os.listdir("submitted")):
        if os.path.isdir(os.path.join("submitted", student, assignment)):
            done(api.autograde(assignment, student))
    with Gradebook(course.db_url) as book:
        for submission in book.assignment_submissions(assignment):
            for grade in submission.notebooks[0].grades:
                marks = "by hand" if grade.needs_manual_grade else grade.score
                print("graded", assignment, submission.student.id, grade.name, marks, grade.max_score, sep="\t")
