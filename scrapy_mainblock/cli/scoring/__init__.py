"""How right methods and peers are on labelled pages: `mainblock eval`."""
