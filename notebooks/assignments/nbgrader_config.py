# What nbgrader needs to know of notebooks in Go. Run it in this folder.
c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "sparse-svm"
c.ClearSolutions.code_stub = {"go": '// YOUR CODE HERE\npanic("no answer yet")'}
c.ClearSolutions.begin_solution_delimeter = "// BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "// END SOLUTION"
c.ClearSolutions.text_stub = "*Your answer here.*"
c.ClearHiddenTests.begin_test_delimeter = "// BEGIN HIDDEN TESTS"
c.ClearHiddenTests.end_test_delimeter = "// END HIDDEN TESTS"
c.Execute.timeout = 60
