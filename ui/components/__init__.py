"""Our own Streamlit components: plain JavaScript, no build step."""
