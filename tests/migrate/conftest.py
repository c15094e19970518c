# The programs of the corpus look like tests and modules; they are input, and import what is not installed.
collect_ignore_glob = ["corpus/*", "golden/*", "programs/*", "notebooks/*", "standins/*"]
