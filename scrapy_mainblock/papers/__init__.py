"""The methods of four papers, and a fifth as baseline, each in a subpackage with its equations.

They are here for comparison and for reading. The default method `auto` does not use any of them.
"""
