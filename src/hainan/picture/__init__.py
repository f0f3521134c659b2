"""A table as a picture for notebooks: ``Picture`` draws itself as SVG, ``film`` a record step by step.

from hainan.picture import film, picture
picture(table, seat=0)          # what seat 0 sees; without a seat everything lies open
film(read_record(record))[12]   # after the twelfth action
"""

from hainan.picture.draw import Film, Picture, film, picture

__all__ = ["Film", "Picture", "film", "picture"]
