"""The four papers, and one to compare with: a room each, its equations and its method.

They are here to be compared with, and read. `auto` uses none of them.
"""
