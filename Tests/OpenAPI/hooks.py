"""What schemathesis has to know beyond the description."""

import schemathesis
from hypothesis import strategies as st

# The names of the published app's players: one that is soon registered, or printable text, of letters that every version
# of Unicode knows.
printable = st.characters(max_codepoint=0x2FF, categories=["L", "N", "P", "S"])
schemathesis.openapi.format("account", st.just("Juliet") | st.text(printable, min_size=1, max_size=128))
