"""The specification: every equation, name and default of the papers, one leaf module a paper.

A module here holds numbers and functions of numbers (or of sets and lists of numbers), never
HTML. Each states its paper, where in it the equation stands, and, where we differ, the word
``Deviates:`` with the reason. The code that walks pages imports from here and adds no constant.

| short name | module | method |
|---|---|---|
| [Wang14] | `wang14` | logical link blocks |
| [Wang18] | `wang18` | page clusters, block densities, rules |
| [Guna12] | `guna12` | link density |
| [Bu14] | `bu14` | FAR-SW: fuzzy association rules and a sliding window |
| [Zhou09] | `zhou09` | WPMTE, the comparator in [Bu14]: two paragraph lengths |
"""
