"""Boolean functions: truth tables, formulas, families by name, influences and other measures."""
