"""The expressions of the corpus, by subject. Each module gives `cases()`: (device, expression) pairs."""
