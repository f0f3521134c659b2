from tests.perft import CASES, path_of, text_of

for preset, players in CASES:
    path_of(preset, players).write_text(text_of(preset, players))
