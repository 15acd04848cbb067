"""The book in print: the rulebook as PDF, and the quick sheet on one A4 page.

`book.py` and `sheet.py` put together one HTML document each from the pages of the site,
`example.py` prints an example with its answer, `pictures.py` draws cards once for every size, and
`printer.py` hands the document to WeasyPrint, with our own fonts and nothing from outside.
"""

from .book import book_html
from .printer import print_pdf
from .sheet import sheet_html

__all__ = ["book_html", "print_pdf", "sheet_html"]
