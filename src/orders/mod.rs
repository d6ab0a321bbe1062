//! Words -> order sheet: tokens, names, spans, "did you mean". No rules: the verbs are each system's own.
