from tests.playthroughs import CASES, path_of, text_of

for preset in CASES:
    path_of(preset).write_text(text_of(preset))
