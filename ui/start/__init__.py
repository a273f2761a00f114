"""The script that Streamlit runs, alone in a folder because Streamlit puts that folder on the path of imports."""
